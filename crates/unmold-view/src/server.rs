//! Which address gives what?

use crate::{
    answer::{Answer, Problem, json, nth},
    answers, assets,
    declared::DeclaredTree,
    edit::Edit,
    export,
    guard::{self, Guard},
    lists::{self, OwnList},
    overview::Overview,
    pick, pictures,
    session::{Session, Standing},
    shown, why,
};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, Query, Request, State},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use std::{io, net::TcpListener, path::PathBuf, sync::Arc};
use unmold::{
    Mold, Span, Text,
    fields::{Field, Type},
    lists::ListRule,
    mold::Group,
};

/// Pages and a mold, before they are looked at.
pub struct Viewer {
    texts: Vec<Text>,
    mold: Mold,
    save_to: Option<PathBuf>,
    opens_at: Option<usize>,
}

/// A viewer that listens.
pub struct Server {
    listener: TcpListener,
    guard: Arc<Guard>,
    session: Arc<Session>,
    opens_at: Option<usize>,
}

impl Viewer {
    /// A viewer of pages, which may be none, and a mold.
    pub fn new(texts: Vec<Text>, mold: Mold) -> Self {
        Viewer {
            texts,
            mold,
            save_to: None,
            opens_at: None,
        }
    }

    /// Says where the mold is saved to; without it, the browser keeps what is saved.
    #[must_use]
    pub fn save_to(mut self, path: Option<PathBuf>) -> Self {
        self.save_to = path;
        self
    }

    /// Says which page is shown first, by its number; without it, the first of the largest group
    /// is.
    #[must_use]
    pub fn opens_at(mut self, page: Option<usize>) -> Self {
        self.opens_at = page.filter(|&page| page < self.texts.len());
        self
    }

    /// Begins to listen, on this machine alone. Where the port is taken, or 0, another is.
    ///
    /// # Errors
    /// When no port is free, or the system has no random numbers.
    pub fn bind(self, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind(("127.0.0.1", port))
            .or_else(|_| TcpListener::bind(("127.0.0.1", 0)))?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        let session = Session::new(self.texts, self.mold, self.save_to);
        Ok(Server {
            listener,
            guard: Arc::new(guard),
            session: Arc::new(session),
            opens_at: self.opens_at,
        })
    }
}

impl Server {
    /// The address to open in a browser. It works once.
    pub fn url(&self) -> String {
        self.guard.address()
    }

    /// Reads all pages, so that the first look is quick.
    pub fn warm_up(&self) {
        self.session.overview();
    }

    /// Answers until the program ends.
    ///
    /// # Errors
    /// When the system fails.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(listener, router(self.guard, self.session, self.opens_at)).await
        })
    }
}

#[derive(Clone)]
struct Served {
    guard: Arc<Guard>,
    session: Arc<Session>,
    opens_at: Option<usize>,
}

fn router(guard: Arc<Guard>, session: Arc<Session>, opens_at: Option<usize>) -> Router {
    /// No edit is larger.
    const MOST_BYTES: usize = 1 << 20;
    Router::new()
        .route("/api/state", get(state))
        .route("/api/version", get(version))
        .route("/api/pages", get(pages))
        .route("/api/group/{group}", get(group))
        .route("/api/group/{group}/table", get(table))
        .route("/api/group/{group}/field/{field}", get(field))
        .route("/api/group/{group}/field/{field}/rules", get(field_rules))
        .route("/api/group/{group}/doubts", get(doubts))
        .route("/api/group/{group}/list/{list}", get(list_rows))
        .route("/api/group/{group}/picture/{name}", get(picture))
        .route("/api/page/{page}", get(page))
        .route("/api/page/{page}/nodes", get(nodes))
        .route("/api/page/{page}/source", get(source))
        .route("/api/page/{page}/why/{field}", get(reasons))
        .route("/api/page/{page}/pick", get(picked))
        .route("/api/page/{page}/lists", get(page_lists))
        .route("/api/page/{page}/declared", get(declared))
        .route("/api/check", get(checked))
        .route("/api/edit", post(edit))
        .route("/api/preview", post(preview))
        .route("/api/take", post(take))
        .route(
            "/api/undo",
            post(|served: State<Served>| step(served, true)),
        )
        .route(
            "/api/redo",
            post(|served: State<Served>| step(served, false)),
        )
        .route("/api/save", post(save))
        .route("/export/{format}", get(exported))
        .route("/export/list/{group}/{list}/{format}", get(exported_list))
        .route("/frame/{page}", get(frame))
        .fallback(own_page)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(Served {
            guard: Arc::clone(&guard),
            session,
            opens_at,
        })
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

/// Works on something away from the threads that answer.
async fn worked<T: Send + 'static>(
    served: Served,
    work: impl FnOnce(&Session) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let done = tokio::task::spawn_blocking(move || work(&served.session)).await;
    done.unwrap_or_else(|_| {
        Err(Problem::Refused(
            "an error of this program, please report it".to_owned(),
        ))
    })
}

/// The same with an answer as JSON.
async fn answered<T: Serialize + Send + 'static>(
    served: Served,
    work: impl FnOnce(&Session) -> Answer<T> + Send + 'static,
) -> Response {
    json(worked(served, work).await)
}

/// Pages and all else are known by numbers; whatever is none is not there.
fn number(text: &str) -> Answer<usize> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| is_plain)
        .ok_or(Problem::Unknown)
}

/// The viewer's own page.
async fn own_page(request: Request) -> Response {
    match assets::asset(request.uri().path()) {
        Some((media_type, content)) => {
            ([(header::CONTENT_TYPE, media_type)], content).into_response()
        }
        None => Problem::Unknown.into_response(),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StateOfThings {
    #[serde(flatten)]
    standing: Standing,
    token: String,
    save_to: Option<String>,
    method: String,
    pages: usize,
    groups: Vec<GroupLine>,
    /// Pages that fit no group.
    others: usize,
}

#[derive(Serialize)]
struct GroupLine {
    name: String,
    pages: usize,
    fields: usize,
    wanted: usize,
    lists: usize,
}

/// What there is when the viewer is opened.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    #[serde(flatten)]
    state: StateOfThings,
    opens_at: Option<Place>,
}

/// A page, and the group in whose list it stands.
#[derive(Serialize)]
struct Place {
    group: usize,
    page: usize,
}

async fn state(State(served): State<Served>) -> Response {
    let (token, opens_at) = (served.guard.token().to_owned(), served.opens_at);
    answered(served, move |session| {
        let overview = session.overview();
        let others = overview.of_group.len() - 1;
        let opens_at = opens_at.map(|page| Place {
            group: overview.pages[page].group.unwrap_or(others),
            page,
        });
        Ok(Opened {
            state: state_of(session, token),
            opens_at,
        })
    })
    .await
}

/// What changes when something is edited or saved, for windows that ask again and again.
async fn version(State(served): State<Served>) -> Response {
    Json(served.session.standing()).into_response()
}

fn state_of(session: &Session, token: String) -> StateOfThings {
    let (version, overview) = (session.version(), session.overview());
    let line = |(at, group): (usize, &Group)| GroupLine {
        name: group.name.clone(),
        pages: overview.of_group[at].len(),
        fields: group.fields.len(),
        wanted: group.wanted().len(),
        lists: group.records.len(),
    };
    StateOfThings {
        standing: session.standing(),
        token,
        save_to: session
            .save_to()
            .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())),
        method: version.mold.learned.method.clone(),
        pages: session.texts().len(),
        groups: version.mold.groups.iter().enumerate().map(line).collect(),
        others: overview.of_group.last().map_or(0, Vec::len),
    }
}

/// A part of something that may be long.
#[derive(Deserialize)]
#[serde(default)]
struct Range {
    from: usize,
    count: usize,
    group: Option<usize>,
    search: String,
    start: u32,
    end: u32,
    text: String,
}

impl Default for Range {
    fn default() -> Self {
        Range {
            from: 0,
            count: 100,
            group: None,
            search: String::new(),
            start: 0,
            end: 0,
            text: String::new(),
        }
    }
}

impl Range {
    fn of<T: Clone>(&self, things: &[T]) -> Vec<T> {
        /// More are not asked for at once.
        const MOST: usize = 500;
        things
            .iter()
            .skip(self.from)
            .take(self.count.min(MOST))
            .cloned()
            .collect()
    }
}

#[derive(Serialize)]
struct Part<T> {
    total: usize,
    items: Vec<T>,
}

#[derive(Serialize)]
struct PageLine {
    page: usize,
    name: String,
    /// A value, to tell pages apart.
    title: Option<String>,
    /// The field whose value was sought.
    hit: Option<usize>,
    doubts: usize,
    records: usize,
    error: Option<String>,
}

impl PageLine {
    fn of(session: &Session, overview: &Overview, page: usize, sought: &str) -> Self {
        let found = &overview.pages[page];
        PageLine {
            page,
            name: session.texts()[page].id().to_owned(),
            title: session.title(page).map(str::to_owned),
            hit: field_with(overview, page, sought).filter(|_| !sought.is_empty()),
            doubts: open_doubts(session, overview, page).len(),
            records: found.records,
            error: found.error.clone(),
        }
    }
}

/// The fields of a page that are in doubt, and that nobody has settled.
fn open_doubts(session: &Session, overview: &Overview, page: usize) -> Vec<usize> {
    let (version, found) = (session.version(), &overview.pages[page]);
    let group = found.group.and_then(|at| version.mold.groups.get(at));
    let names = group.map_or(&[][..], Group::wanted);
    let mut open = Vec::new();
    for (at, cell) in found.cells.iter().enumerate() {
        let name = names.get(at).map_or("", |field| &field.name);
        let number = found.group.unwrap_or_default();
        let is_settled = || answers::is_settled(&version.answers, number, name, page, &cell.values);
        if cell.doubt.is_some() && !is_settled() {
            open.push(at);
        }
    }
    open
}

/// The first field of a page that has such a value.
fn field_with(overview: &Overview, page: usize, sought: &str) -> Option<usize> {
    let cells = &overview.pages[page].cells;
    let has = |value: &String| value.to_lowercase().contains(sought);
    cells.iter().position(|cell| cell.values.iter().any(has))
}

/// Whether a page is called so, or has such a value.
fn is_sought(session: &Session, overview: &Overview, page: usize, sought: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(sought);
    sought.is_empty()
        || has(session.texts()[page].id())
        || field_with(overview, page, sought).is_some()
}

async fn pages(State(served): State<Served>, Query(range): Query<Range>) -> Response {
    answered(served, move |session| {
        let overview = session.overview();
        let (group, sought) = (
            range.group.unwrap_or(overview.of_group.len() - 1),
            range.search.to_lowercase(),
        );
        let all = nth(&overview.of_group, group)?.iter().copied();
        let all: Vec<usize> = all
            .filter(|&page| is_sought(session, &overview, page, &sought))
            .collect();
        let items = range
            .of(&all)
            .into_iter()
            .map(|page| PageLine::of(session, &overview, page, &sought))
            .collect();
        Ok(Part {
            total: all.len(),
            items,
        })
    })
    .await
}

#[derive(Serialize)]
struct GroupView {
    name: String,
    pages: usize,
    /// The wanted fields, and the first of the others behind them.
    fields: Vec<FieldView>,
    wanted: usize,
    total: usize,
    lists: Vec<ListView>,
}

#[derive(Serialize)]
struct FieldView {
    field: usize,
    name: String,
    #[serde(rename = "type")]
    kind: Type,
    many: bool,
    on: bool,
    label: String,
    /// How many pages have it and on how many it is in doubt, if it is in the table.
    filled: Option<usize>,
    doubtful: usize,
    fill: f64,
    agreement: f64,
    held_out: Option<f64>,
    views: usize,
    samples: Vec<String>,
}

#[derive(Serialize)]
struct ListView {
    name: String,
    fill: f64,
    columns: usize,
}

impl FieldView {
    /// A field with how many pages have it and on how many it is in doubt.
    fn of(field: usize, rule: &Field, counts: Option<(usize, usize)>) -> Self {
        FieldView {
            field,
            name: rule.name.clone(),
            kind: rule.kind,
            many: rule.many,
            on: counts.is_some(),
            label: rule.label.clone(),
            filled: counts.map(|(filled, _)| filled),
            doubtful: counts.map_or(0, |(_, doubtful)| doubtful),
            fill: rule.fill,
            agreement: rule.agreement,
            held_out: rule.held_out.map(|held_out| held_out.fill),
            views: rule.views.len(),
            samples: rule.samples.iter().take(3).cloned().collect(),
        }
    }
}

impl ListView {
    fn of(list: &ListRule) -> Self {
        let columns = list.rule.columns().map_or(0, <[_]>::len);
        ListView {
            name: list.name.clone(),
            fill: list.fill,
            columns,
        }
    }
}

async fn group(
    State(served): State<Served>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let (at, version, overview) = (number(&id)?, session.version(), session.overview());
        let group = nth(&version.mold.groups, at)?;
        let wanted = group.wanted().len();
        let counts = |field: usize| {
            let (filled, doubtful) = overview.counts(at, field);
            let name = &group.fields[field].name;
            let is_open = |page: &&usize| {
                let found = &overview.pages[**page].cells[field].values;
                !answers::is_settled(&version.answers, at, name, **page, found)
            };
            (field < wanted).then(|| (filled, doubtful.iter().filter(is_open).count()))
        };
        let shown = group
            .fields
            .iter()
            .enumerate()
            .take(wanted + range.from + range.count);
        Ok(GroupView {
            name: group.name.clone(),
            pages: overview.of_group[at].len(),
            fields: shown
                .map(|(field, rule)| FieldView::of(field, rule, counts(field)))
                .collect(),
            wanted,
            total: group.fields.len(),
            lists: group.records.iter().map(ListView::of).collect(),
        })
    })
    .await
}

#[derive(Clone, Serialize)]
struct CellView {
    values: Vec<String>,
    more: usize,
    agreement: f64,
    doubt: Option<&'static str>,
}

#[derive(Serialize)]
struct RowView {
    page: usize,
    name: String,
    cells: Vec<CellView>,
}

fn row(
    session: &Session,
    overview: &Overview,
    page: usize,
    columns: std::ops::Range<usize>,
) -> RowView {
    let cell = |at: usize| {
        let cell = overview.pages[page].cells.get(at);
        cell.map_or(
            CellView {
                values: Vec::new(),
                more: 0,
                agreement: 0.0,
                doubt: None,
            },
            |cell| CellView {
                values: cell.values.clone(),
                more: cell.more,
                agreement: cell.agreement,
                doubt: cell.doubt,
            },
        )
    };
    RowView {
        page,
        name: session.texts()[page].id().to_owned(),
        cells: columns.map(cell).collect(),
    }
}

/// The rows of a group as they would be written.
async fn table(
    State(served): State<Served>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let (at, version, overview) = (number(&id)?, session.version(), session.overview());
        let wanted = nth(&version.mold.groups, at)?.wanted().len();
        let all = &overview.of_group[at];
        let items = range
            .of(all)
            .into_iter()
            .map(|page| row(session, &overview, page, 0..wanted))
            .collect();
        Ok(Part {
            total: all.len(),
            items,
        })
    })
    .await
}

/// One field on all pages, those first on which it is in doubt or missing.
async fn field(
    State(served): State<Served>,
    Path((id, field)): Path<(String, String)>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let (at, field, version) = (number(&id)?, number(&field)?, session.version());
        nth(nth(&version.mold.groups, at)?.wanted(), field)?;
        let overview = session.overview();
        let all = overview.by_doubt(at, field);
        let items = range
            .of(&all)
            .into_iter()
            .map(|page| row(session, &overview, page, field..field + 1))
            .collect();
        Ok(Part {
            total: all.len(),
            items,
        })
    })
    .await
}

/// A field as CSS and XPath.
async fn field_rules(
    State(served): State<Served>,
    Path((id, field)): Path<(String, String)>,
) -> Response {
    answered(served, move |session| {
        export::field_rules(session, number(&id)?, number(&field)?)
    })
    .await
}

/// A picture of the papers, which is not part of the viewer's page.
async fn picture(
    State(served): State<Served>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let drawn = worked(served, move |session| {
        let overview = session.overview();
        let pages = nth(&overview.of_group, number(&id)?)?;
        pictures::draw(
            &name,
            &pages
                .iter()
                .map(|&page| &session.texts()[page])
                .collect::<Vec<_>>(),
        )
    });
    match drawn.await {
        Ok(svg) => (
            [
                (header::CONTENT_TYPE, "image/svg+xml"),
                (header::CONTENT_SECURITY_POLICY, FRAME_POLICY),
            ],
            svg,
        )
            .into_response(),
        Err(problem) => problem.into_response(),
    }
}

#[derive(Serialize)]
struct PageView {
    page: usize,
    name: String,
    url: Option<String>,
    bytes: usize,
    /// Whether it goes on behind what was read of it.
    cut: bool,
    group: Option<usize>,
    fits: bool,
    values: Vec<crate::page::FieldValue>,
    /// The fields whose values somebody called right or put right.
    settled: Vec<usize>,
    records: usize,
}

/// The fields of a page whose values need no look any more.
fn settled(
    session: &Session,
    group: Option<usize>,
    page: usize,
    values: &[crate::page::FieldValue],
) -> Vec<usize> {
    let version = session.version();
    let Some(number) = group else {
        return Vec::new();
    };
    let mut settled = Vec::new();
    for value in values {
        let group = version.mold.groups.get(number);
        let field = group.and_then(|group| group.wanted().get(value.field));
        let is_settled =
            |name: &str| answers::is_settled(&version.answers, number, name, page, &value.texts);
        if field.is_some_and(|field| is_settled(&field.name)) {
            settled.push(value.field);
        }
    }
    settled
}

async fn page(State(served): State<Served>, Path(id): Path<String>) -> Response {
    answered(served, move |session| {
        let page = number(&id)?;
        let (text, found) = (session.text(page)?, session.page(page)?);
        Ok(PageView {
            page,
            name: text.id().to_owned(),
            url: text.url().map(str::to_owned),
            bytes: text.as_str().len(),
            cut: text.is_truncated(),
            group: found.group,
            fits: found.fits,
            settled: settled(session, found.group, page, &found.values),
            values: found.values.clone(),
            records: found.lists.first().map_or(0, OwnList::len),
        })
    })
    .await
}

async fn nodes(
    State(served): State<Served>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let page = number(&id)?;
        Ok(shown::piece(
            session.text(page)?.as_str(),
            range.from,
            &*session.page(page)?,
        ))
    })
    .await
}

async fn source(
    State(served): State<Served>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let page = number(&id)?;
        Ok(shown::source(
            session.text(page)?.as_str(),
            range.from,
            &*session.page(page)?,
        ))
    })
    .await
}

async fn reasons(
    State(served): State<Served>,
    Path((id, field)): Path<(String, String)>,
) -> Response {
    answered(served, move |session| {
        let (page, field) = (number(&id)?, number(&field)?);
        let (text, found, version) = (session.text(page)?, session.page(page)?, session.version());
        let value = nth(&found.values, field)?;
        why::votes(
            &version,
            text,
            found.group.ok_or(Problem::Unknown)?,
            field,
            &value.texts,
        )
    })
    .await
}

async fn picked(
    State(served): State<Served>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let piece = Span {
            start: range.start,
            end: range.end.max(range.start),
        };
        pick::pick(session, number(&id)?, piece, &range.text)
    })
    .await
}

async fn page_lists(State(served): State<Served>, Path(id): Path<String>) -> Response {
    answered(served, move |session| {
        let page = number(&id)?;
        lists::described(session.text(page)?, &session.page(page)?.lists)
    })
    .await
}

/// What a page declares, as a tree.
async fn declared(State(served): State<Served>, Path(id): Path<String>) -> Response {
    answered(served, move |session| {
        let page = number(&id)?;
        let (text, found) = (session.text(page)?, session.page(page)?);
        let tree = unmold::read::guarded(text, |text| DeclaredTree::of(text, &found));
        Ok(tree?)
    })
    .await
}

/// A value that somebody should look at.
#[derive(Clone, Serialize)]
struct DoubtView {
    page: usize,
    field: usize,
    values: Vec<String>,
    doubt: &'static str,
}

/// The values of a group that are in doubt and not settled, page by page.
async fn doubts(
    State(served): State<Served>,
    Path(id): Path<String>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let overview = session.overview();
        let mut all = Vec::new();
        for &page in nth(&overview.of_group, number(&id)?)? {
            for field in open_doubts(session, &overview, page) {
                let cell = &overview.pages[page].cells[field];
                all.push(DoubtView {
                    page,
                    field,
                    values: cell.values.clone(),
                    doubt: cell.doubt.unwrap_or_default(),
                });
            }
        }
        Ok(Part {
            total: all.len(),
            items: range.of(&all),
        })
    })
    .await
}

/// A list on all pages of its group.
#[derive(Serialize)]
struct ListRows {
    columns: Vec<String>,
    total: usize,
    items: Vec<ListRow>,
}

#[derive(Serialize)]
struct ListRow {
    page: usize,
    /// Where the record begins on its page.
    at: u32,
    cells: Vec<Vec<String>>,
}

async fn list_rows(
    State(served): State<Served>,
    Path((id, list)): Path<(String, String)>,
    Query(range): Query<Range>,
) -> Response {
    answered(served, move |session| {
        let found = session.list(number(&id)?, number(&list)?)?;
        let rows: Vec<usize> = (0..found.places.len()).collect();
        let row = |at: usize| ListRow {
            page: found.places[at].0,
            at: found.places[at].1,
            cells: found.table.rows[at].clone(),
        };
        let columns = found.table.columns.iter();
        Ok(ListRows {
            columns: columns.map(|column| column.name.clone()).collect(),
            total: rows.len(),
            items: range.of(&rows).into_iter().map(row).collect(),
        })
    })
    .await
}

/// How the rules do on these pages, beside those that they were learned from.
async fn checked(State(served): State<Served>) -> Response {
    answered(served, |session| {
        Ok(session.version().mold.checker().check(session.texts()))
    })
    .await
}

#[derive(Deserialize)]
struct EditOf {
    /// The version that was looked at.
    version: u64,
    edit: Edit,
}

async fn edit(State(served): State<Served>, Json(wanted): Json<EditOf>) -> Response {
    let token = served.guard.token().to_owned();
    answered(served, move |session| {
        session.edit(&wanted.edit, wanted.version)?;
        Ok(state_of(session, token))
    })
    .await
}

/// What an edit would change.
async fn preview(State(served): State<Served>, Json(wanted): Json<EditOf>) -> Response {
    answered(served, move |session| {
        session.preview(&wanted.edit, wanted.version)
    })
    .await
}

#[derive(Deserialize)]
struct Take {
    /// The preview that was looked at.
    preview: u64,
}

async fn take(State(served): State<Served>, Json(wanted): Json<Take>) -> Response {
    let token = served.guard.token().to_owned();
    answered(served, move |session| {
        session.take(wanted.preview)?;
        Ok(state_of(session, token))
    })
    .await
}

async fn step(State(served): State<Served>, is_back: bool) -> Response {
    let token = served.guard.token().to_owned();
    answered(served, move |session| {
        session.step(is_back)?;
        Ok(state_of(session, token))
    })
    .await
}

#[derive(Deserialize)]
struct Save {
    /// Whether a file that exists may be replaced: the person was asked.
    replace: bool,
}

async fn save(State(served): State<Served>, Json(wanted): Json<Save>) -> Response {
    answered(served, move |session| {
        session.save(wanted.replace)?;
        Ok(session.standing())
    })
    .await
}

async fn exported(State(served): State<Served>, Path(format): Path<String>) -> Response {
    kept(worked(served, move |session| export::export(session, &format)).await)
}

async fn exported_list(
    State(served): State<Served>,
    Path((group, list, format)): Path<(String, String, String)>,
) -> Response {
    let work =
        move |session: &Session| export::list(session, number(&group)?, number(&list)?, &format);
    kept(worked(served, work).await)
}

/// A file for the browser to keep.
fn kept(file: Answer<export::File>) -> Response {
    match file {
        Ok(file) => {
            let disposition = format!("attachment; filename=\"{}\"", file.name);
            let headers = [
                (header::CONTENT_TYPE, file.media_type.to_owned()),
                (header::CONTENT_DISPOSITION, disposition),
            ];
            (StatusCode::OK, headers, file.bytes).into_response()
        }
        Err(problem) => problem.into_response(),
    }
}

/// What a page under inspection may do: nothing but look like itself.
const FRAME_POLICY: &str =
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

/// A page as it looks.
async fn frame(State(served): State<Served>, Path(id): Path<String>) -> Response {
    /// A page that is larger is shown in pieces elsewhere.
    const MOST_BYTES: usize = 8 << 20;
    let painted = worked(served, move |session| {
        let page = number(&id)?;
        let (text, found, version) = (session.text(page)?, session.page(page)?, session.version());
        if text.as_str().len() > MOST_BYTES {
            let words = "<p>This page is too large for a frame. The tabs “Page” and “Source” show it in pieces.";
            return Ok(words.to_owned());
        }
        found.painted(version.reader(), text)
    });
    match painted.await {
        Ok(html) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, FRAME_POLICY),
            ];
            (headers, html).into_response()
        }
        Err(problem) => problem.into_response(),
    }
}
