//! All of it together: who is asked next, and what is done with the answers.
//!
//! One task decides and writes; requests run beside it and hand back their answers. So there is no
//! lock anywhere, and the order in which things are noted is the order in which they happened.

use crate::{
    address::{LONGEST, Refusal},
    domain::{Domain, Item, LONGEST_RETRY_AFTER},
    fetch::{Answer, FetchError, Fetcher, Request},
    links::source,
    listing::{ITEM, ListState},
    report::{Budget, Failure, FailureKind, Progress, Report, Watch, Why},
    robots::Rules,
    sessions::{self, Shown},
    settings::{Scope, Settings},
    state::{Entry, Noted, OPTIONS, Role, StateError, Status, Store},
    urls,
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, TryRecvError, sync_channel},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tokio::sync::mpsc;
use unmold::Text;
use unmold_io::{
    LoadSettings, load,
    save::{Overwrite, SaveError},
    warc_file::{Record, WarcFile},
    warc_parts::WarcParts,
};
use url::Url;

/// How a crawl begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With nothing. What an earlier crawl left unfinished is replaced only where that is allowed.
    Anew(Overwrite),
    /// Where an earlier crawl was cut off; with nothing if there was none.
    Resume,
}

/// Why a crawl could not be begun or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrawlError {
    /// The file could not be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The state could not be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// An earlier crawl was cut off.
    #[error("an unfinished crawl is in {}: --resume goes on with it, --overwrite begins anew", .0.display())]
    Unfinished(PathBuf),
    /// There is an unfinished archive, but nothing that says what is in it.
    #[error("{} has no state beside it and cannot be gone on with: rename it to keep it, or --overwrite", .0.display())]
    NoState(PathBuf),
    /// An earlier crawl was begun with one file, and is to go on with several.
    #[error("the crawl in {} was begun without --rotate, and goes on without it", .0.display())]
    Rotation(PathBuf),
    /// No requests can be sent from here.
    #[error("cannot send requests: {0}")]
    Client(String),
}

/// Fetches what the given addresses lead to, into a WARC file.
pub fn crawl(
    path: &Path,
    start: Start,
    settings: &Settings,
    given: impl Iterator<Item = String> + Send + 'static,
    watch: &mut dyn Watch,
) -> Result<Report, CrawlError> {
    let Some(files) = Files::open(path, start, settings.rotate)? else {
        return Ok(Report {
            is_finished: true,
            ..Report::default()
        });
    };
    let fetcher = Fetcher::new(settings).map_err(CrawlError::Client)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| CrawlError::Client(error.to_string()))?;
    let given = streamed(given);
    let report = runtime.block_on(async {
        let mut crawl = Crawl::new(files, settings, fetcher, watch);
        crawl.begin()?;
        crawl.run(&given).await?;
        crawl.finish()
    });
    // Names that are still being looked up are not waited for.
    runtime.shutdown_background();
    report
}

/// Reads the given addresses beside the crawl, a few ahead.
fn streamed(given: impl Iterator<Item = String> + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = sync_channel(1024);
    std::thread::spawn(move || {
        for address in given {
            if sender.send(address).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The archive and the state of a crawl.
pub(crate) struct Files {
    pub(crate) warc: WarcParts,
    pub(crate) store: Store,
    path: PathBuf,
    rotate: Option<u64>,
    /// What is to be kept under names with the next commit.
    pub(crate) notes: Vec<(&'static str, String)>,
}

impl Files {
    /// Opens both so that they agree; nothing if the crawl is finished but for the removal of its
    /// state.
    fn open(path: &Path, start: Start, rotate: Option<u64>) -> Result<Option<Self>, CrawlError> {
        check_start(path, start, rotate)?;
        let store = Store::open(Store::path_of(path))?;
        let noted = store.noted()?.filter(|_| start == Start::Resume);
        let last = |noted: &Noted| WarcParts::path_of(path, noted.rotate, noted.mark.part);
        let is_open = |noted: &Noted| WarcFile::open_path(&last(noted)).exists();
        let Some(noted) = noted.filter(|noted| is_open(noted) || last(noted).exists()) else {
            return Files::begin(path, start, rotate, store).map(Some);
        };
        if rotate.is_some() && noted.rotate.is_none() {
            return Err(CrawlError::Rotation(path.to_owned()));
        }
        let rotate = rotate.or(noted.rotate);
        if !is_open(&noted) && (noted.is_finished || rotate.is_none()) {
            drop(store);
            remove(&Store::path_of(path));
            return Ok(None);
        }
        let warc = WarcParts::resume(path, rotate, noted.mark)?;
        Ok(Some(Files {
            warc,
            store,
            path: path.to_owned(),
            rotate,
            notes: Vec::new(),
        }))
    }

    fn begin(
        path: &Path,
        start: Start,
        rotate: Option<u64>,
        store: Store,
    ) -> Result<Self, CrawlError> {
        // An unfinished file beside a finished one is there because the latter was to be replaced.
        let overwrite = match start {
            Start::Anew(overwrite) => overwrite,
            Start::Resume => Overwrite::Allow,
        };
        store.clear()?;
        WarcParts::unfinished(path, rotate)
            .iter()
            .for_each(|open| remove(open));
        let warc = WarcParts::create(path, rotate, overwrite)?;
        Ok(Files {
            warc,
            store,
            path: path.to_owned(),
            rotate,
            notes: Vec::new(),
        })
    }

    /// First the archive, then the state that says what is in it.
    fn commit<'e>(
        &mut self,
        entries: impl Iterator<Item = (&'e str, &'e Entry)>,
        is_finished: bool,
    ) -> Result<(), CrawlError> {
        let noted = Noted {
            mark: self.warc.sync()?,
            rotate: self.rotate,
            is_finished,
        };
        self.store.commit(entries, noted, &self.notes)?;
        self.notes.clear();
        Ok(())
    }

    /// Gives the archive its name, and then removes the state that is not needed any more.
    fn finish(mut self) -> Result<Vec<PathBuf>, CrawlError> {
        // Without this, a last file with its name would look like one that another was to follow.
        self.commit(std::iter::empty(), true)?;
        let files = self.warc.finish()?;
        drop(self.store);
        remove(&Store::path_of(&self.path));
        Ok(files)
    }
}

/// Refuses what would replace an archive, or an unfinished crawl, that nobody said may be replaced.
fn check_start(path: &Path, start: Start, rotate: Option<u64>) -> Result<(), CrawlError> {
    let state = Store::path_of(path);
    let open = WarcParts::unfinished(path, rotate);
    let is_begun = state.exists() || open.is_some();
    match (start, open) {
        (Start::Anew(Overwrite::Refuse), open) if is_begun => {
            // If it is still being written, that is the better thing to say.
            drop(Store::open(state)?);
            return Err(CrawlError::Unfinished(
                open.unwrap_or_else(|| path.to_owned()),
            ));
        }
        (Start::Anew(overwrite), _) => WarcParts::check(path, rotate, overwrite)?,
        (Start::Resume, _) if !is_begun => WarcParts::check(path, rotate, Overwrite::Refuse)?,
        (Start::Resume, Some(open)) if !state.exists() => return Err(CrawlError::NoState(open)),
        (Start::Resume, _) => {}
    }
    Ok(())
}

/// Removes a file; one that cannot be removed is found again by the next run.
fn remove(path: &Path) {
    _ = fs::remove_file(path);
}

/// What is known about the rules of an origin.
pub(crate) enum Origin {
    /// They are being asked for, for the n-th time.
    Asked(u32),
    /// They were read then.
    Known(Rules, Duration),
    /// They are to be asked for again, for the n-th time.
    Again(u32),
    /// They cannot be read, and so nothing may be asked for.
    Closed(Why),
}

/// Rules are believed for a day (RFC 9309, 2.4).
const RULES_LAST: Duration = Duration::from_secs(24 * 3600);
/// What was fetched is noted on the disk after this time at the latest,
const COMMIT_EVERY: Duration = Duration::from_millis(500);
/// or when there is so much of it.
const COMMIT_CHANGES: usize = 2000;
/// How often the free room on the disk is looked at.
const LOOK_AT_DISK: Duration = Duration::from_secs(1);
/// How often somebody who looks on is told, and asked.
const TICK: Duration = Duration::from_millis(100);
/// More given addresses are not read as long as so many wait.
const MOST_WAITING: usize = 50_000;
/// The most failures that are told one by one.
const MOST_FAILURES: usize = 1000;
/// The most addresses that pages name and that may not be asked, which are kept for the report: a
/// page can name any number of them.
const MOST_REFUSED: usize = 20_000;

/// An answer, and what was asked.
pub(crate) struct Done {
    pub(crate) domain: String,
    pub(crate) item: Item,
    pub(crate) answer: Result<Answer, FetchError>,
}

pub(crate) struct Crawl<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) files: Files,
    fetcher: Arc<Fetcher>,
    watch: &'a mut dyn Watch,
    pub(crate) schedule: crate::schedule::Schedule,
    pub(crate) domains: HashMap<String, Domain>,
    pub(crate) origins: HashMap<String, Origin>,
    pub(crate) entries: HashMap<String, Entry>,
    /// How many entries there were so far, those included that were replaced.
    numbered: u64,
    /// The ports of the given addresses.
    ports: BTreeSet<u16>,
    /// Where each payload stands: address and date of its record.
    pub(crate) payloads: HashMap<String, (String, String)>,
    /// Hosts, domains or folders of the given addresses, by scope.
    scope: BTreeSet<String>,
    /// Keys of entries that have changed since they were noted on the disk.
    pub(crate) changed: HashSet<String>,
    changed_since: Option<Instant>,
    /// Pages that are asked for again: when, and which.
    pub(crate) revisits: BinaryHeap<Reverse<(Duration, String)>>,
    events: (mpsc::UnboundedSender<Done>, mpsc::UnboundedReceiver<Done>),
    asking: usize,
    asking_pages: u64,
    /// How many addresses may not be asked at all.
    refused: usize,
    disk_looked_at: Option<Instant>,
    pub(crate) list: ListState,
    started: Instant,
    told: Option<Instant>,
    pub(crate) report: Report,
}

impl<'a> Crawl<'a> {
    fn new(
        files: Files,
        settings: &'a Settings,
        fetcher: Fetcher,
        watch: &'a mut dyn Watch,
    ) -> Self {
        Crawl {
            settings,
            files,
            fetcher: Arc::new(fetcher),
            watch,
            schedule: crate::schedule::Schedule::default(),
            domains: HashMap::new(),
            origins: HashMap::new(),
            entries: HashMap::new(),
            numbered: 0,
            ports: BTreeSet::new(),
            payloads: HashMap::new(),
            scope: BTreeSet::new(),
            changed: HashSet::new(),
            changed_since: None,
            revisits: BinaryHeap::new(),
            events: mpsc::unbounded_channel(),
            asking: 0,
            asking_pages: 0,
            refused: 0,
            disk_looked_at: None,
            list: ListState::default(),
            started: Instant::now(),
            told: None,
            report: Report::default(),
        }
    }

    /// The time since the crawl began. It never goes back, whatever the clock on the wall does.
    pub(crate) fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// Writes what this run is, and takes up what earlier ones left.
    fn begin(&mut self) -> Result<(), CrawlError> {
        let mut entries = self.files.store.entries()?;
        // Addresses are asked for in the order in which they were found, as if nothing had happened.
        entries.sort_by_key(|(_, entry)| entry.number);
        for (key, entry) in entries {
            self.take_up(key, entry);
        }
        if !self.entries.is_empty() && self.settings.enough.is_some() {
            self.read_kinds_again();
        }
        // Nobody knows when a domain was last asked before: just now, for all we know.
        let soon = self.now() + self.settings.latency;
        self.domains
            .keys()
            .for_each(|domain| self.schedule.put_off(domain, soon));
        for (domain, until) in self.files.store.pauses()? {
            let left = Duration::from_millis(until.saturating_sub(since_1970()));
            let earliest = self.now() + left.min(LONGEST_RETRY_AFTER);
            self.schedule.put_off(&domain, earliest);
        }
        if self.files.store.note(OPTIONS)?.is_none() && !self.settings.options.is_empty() {
            let options = serde_json::to_string(&self.settings.options).unwrap_or_default();
            self.files.notes.push((OPTIONS, options));
        }
        if self.settings.list {
            self.read_list_again()?;
        }
        self.files.warc.append(&[info(self.settings)])?;
        self.commit()
    }

    /// Takes up an address that an earlier run knew.
    fn take_up(&mut self, key: String, mut entry: Entry) {
        self.numbered = self.numbered.max(entry.number + 1);
        let is_refused =
            matches!(&entry.status, Status::Failed(why) if why.kind == FailureKind::Refused);
        let url = urls::normal(None, &entry.url).ok();
        let Some(url) = url.filter(|_| !(is_refused && entry.is_over_bound)) else {
            // It was never to be asked, and is of no domain.
            self.note_failure(&entry);
            self.entries.insert(key, entry);
            return;
        };
        if entry.depth == 0 && entry.via.is_none() && !entry.is_over_bound {
            self.take_as_given(&url);
        }
        if let Some(last) = &entry.last {
            self.payloads
                .insert(last.digest.clone(), (entry.url.clone(), last.date.clone()));
        }
        // What went wrong may go right this time, but for what a server said plainly.
        entry.tries = 0;
        let domain = self.domain(&url);
        if !entry.is_over_bound {
            domain.count(urls::shape(&url));
        }
        match &entry.status {
            Status::Done { is_page: true } => {
                domain.tally.pages += 1;
                self.report.pages += 1;
                self.plan_revisit(&key, &entry);
            }
            Status::Done { is_page: false } => {}
            Status::Failed(why) => {
                domain.tally.trapped += u64::from(entry.is_over_bound && !entry.is_passed_over);
                domain.left_out += usize::from(entry.is_over_bound);
                domain.tally.count_failure(why.kind);
                self.note_failure(&entry);
            }
            // Tests of session ids begin anew: what pages said is not kept.
            Status::Waiting => {
                let may_have_id = entry.depth > 0 && entry.hops == 0 && entry.role == Role::Page;
                if !may_have_id || domain.sessions.find(&url) == sessions::Found::New {
                    self.queue(&url, key.clone(), &entry);
                }
            }
        }
        if !matches!(entry.status, Status::Waiting) && !entry.is_over_bound {
            self.domain(&url).sessions.remember(&url);
        }
        self.entries.insert(key, entry);
    }

    fn next_number(&mut self) -> u64 {
        let number = self.numbered;
        self.numbered += 1;
        number
    }

    /// Plans when a page is asked for again.
    pub(crate) fn plan_revisit(&mut self, key: &str, entry: &Entry) {
        let (Some(again), Some(last)) = (self.settings.again, &entry.last) else {
            return;
        };
        if entry.visits < self.settings.visits {
            let since = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default()
                .as_secs()
                .saturating_sub(last.time);
            let due = self.now() + again.saturating_sub(Duration::from_secs(since));
            self.revisits.push(Reverse((due, key.to_owned())));
        }
    }

    /// Groups the pages that earlier runs fetched, as far as they are in the archive.
    fn read_kinds_again(&mut self) {
        let archive = self.files.warc.files();
        for page in load(archive, &LoadSettings::default()).pages().flatten() {
            let url = page.url().and_then(|url| urls::normal(None, url).ok());
            let (Some(url), Ok(text)) = (url, Text::decode_guarded(page)) else {
                continue;
            };
            let source = self
                .entries
                .get(&urls::key(&url))
                .map(|entry| source_of(&url, entry))
                .unwrap_or_default();
            if let Some(kinds) = &mut self.domain(&url).kinds {
                kinds.add(&source, text);
            }
        }
    }

    /// Runs until there is nothing left to do, or somebody wants it to stop.
    async fn run(&mut self, given: &Receiver<String>) -> Result<(), CrawlError> {
        let mut is_given_all = false;
        loop {
            is_given_all = is_given_all || self.take_given(given);
            self.queue_revisits();
            self.ask();
            self.commit_in_time()?;
            if self.settings.list && self.is_idle(is_given_all) {
                // The second page of a list did not come.
                self.settle_list();
                self.ask();
            }
            if self.is_idle(is_given_all) {
                self.report.is_finished = true;
                return self.commit();
            }
            self.tell();
            self.report.stopped = self.used_up();
            if self.report.stopped.is_some() || self.watch.wants_to_stop() {
                return self.stop().await;
            }
            let wait = if is_given_all {
                self.time_to_wait()
            } else {
                self.time_to_wait().min(TICK / 5)
            };
            if let Ok(Some(done)) = tokio::time::timeout(wait, self.events.1.recv()).await {
                self.take_answer(done)?;
            }
        }
    }

    /// Notes what was fetched, if it has waited long enough for that or there is enough of it.
    fn commit_in_time(&mut self) -> Result<(), CrawlError> {
        let is_due = self
            .changed_since
            .is_some_and(|since| since.elapsed() >= COMMIT_EVERY);
        if is_due || self.changed.len() >= COMMIT_CHANGES {
            self.commit()
        } else {
            Ok(())
        }
    }

    /// Tells whoever looks on how far it is, every now and then.
    fn tell(&mut self) {
        if self.told.is_none_or(|told| told.elapsed() >= TICK) {
            self.told = Some(Instant::now());
            let progress = self.progress();
            self.watch.progress(&progress);
        }
    }

    /// Waits for the answers that are under way, as long as nobody is impatient, and notes them.
    async fn stop(&mut self) -> Result<(), CrawlError> {
        let patience = Instant::now() + Duration::from_secs(2);
        while self.asking > 0 && Instant::now() < patience {
            let left = patience.saturating_duration_since(Instant::now());
            if let Ok(Some(done)) = tokio::time::timeout(left, self.events.1.recv()).await {
                self.take_answer(done)?;
            }
        }
        self.commit()
    }

    /// What this run has used up, if it may not go on.
    fn used_up(&mut self) -> Option<Budget> {
        let settings = self.settings;
        if settings
            .max_bytes
            .is_some_and(|most| self.report.bytes >= most)
        {
            return Some(Budget::Bytes);
        }
        if settings.max_time.is_some_and(|most| self.now() >= most) {
            return Some(Budget::Time);
        }
        let is_due = self
            .disk_looked_at
            .is_none_or(|looked| looked.elapsed() >= LOOK_AT_DISK);
        if settings.keep_free == 0 || !is_due {
            return None;
        }
        self.disk_looked_at = Some(Instant::now());
        let folder = self.files.path.parent();
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        let free = free_bytes(folder.unwrap_or(Path::new(".")));
        free.filter(|free| *free < settings.keep_free)
            .map(|_| Budget::Disk)
    }

    fn is_idle(&self, is_given_all: bool) -> bool {
        let is_full = self.is_full() && self.asking_pages == 0 && self.settings.again.is_none();
        let has_nothing =
            self.schedule.next_time().is_none() && self.revisits.is_empty() && is_given_all;
        self.asking == 0 && (has_nothing || is_full)
    }

    /// Whether no more pages are wanted than there are or will be.
    fn is_full(&self) -> bool {
        let pages = if self.settings.dry_run {
            self.report.planned.len() as u64
        } else {
            self.report.pages
        };
        self.settings
            .limit
            .is_some_and(|limit| pages + self.asking_pages >= limit)
    }

    /// Whether there is no room for a new page, but may be when those that are asked for turn out
    /// to be none.
    fn is_full_for_now(&self) -> bool {
        self.is_full() && !self.has_all_pages()
    }

    /// Whether only pages that are known are asked for, again.
    fn has_all_pages(&self) -> bool {
        self.settings.again.is_some()
            && self
                .settings
                .limit
                .is_some_and(|limit| self.report.pages >= limit)
    }

    /// How long nothing can be done but wait for answers.
    fn time_to_wait(&self) -> Duration {
        let revisit = self.revisits.peek().map(|Reverse((due, _))| *due);
        let turn = self
            .schedule
            .next_time()
            .filter(|_| self.asking < self.settings.parallel && !self.is_full_for_now());
        let next = [revisit, turn].into_iter().flatten().min();
        next.map_or(TICK, |next| next.saturating_sub(self.now()))
            .min(TICK)
    }

    /// Takes given addresses, unless too many wait already. Says whether there are no more.
    fn take_given(&mut self, given: &Receiver<String>) -> bool {
        let mut room = MOST_WAITING.saturating_sub(self.waiting()).min(1024);
        while room > 0 {
            match given.try_recv() {
                Ok(address) => self.give(&address),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => return true,
            }
            room -= 1;
        }
        false
    }

    /// Takes an address as it was given.
    fn give(&mut self, address: &str) {
        let address = address.trim();
        if address.is_empty() {
            return;
        }
        let checked = urls::normal(None, address)
            .and_then(|url| self.settings.guard.check(&url).map(|()| url));
        match checked {
            Ok(url) => {
                self.take_as_given(&url);
                let found = Found {
                    url,
                    via: None,
                    place: "given",
                    depth: 0,
                    hops: 0,
                    role: if self.settings.list {
                        Role::List
                    } else {
                        Role::Page
                    },
                };
                self.add(&found);
            }
            Err(refusal) => self.refuse(address, &refusal, 0),
        }
    }

    /// Takes it that an address was given, or is where a given one leads: what is like it may be
    /// asked, too.
    fn take_as_given(&mut self, url: &Url) {
        self.ports.extend(url.port_or_known_default());
        self.widen_scope(url);
    }

    /// Checks an address that a page or a server named. Beside what holds for all addresses, ports
    /// are those of the web and of given addresses: other services listen on all others, and
    /// strangers could have them asked.
    pub(crate) fn check_found(&self, url: &Url) -> Result<(), Refusal> {
        self.settings.guard.check(url)?;
        match url.port() {
            Some(port) if !matches!(port, 80 | 443) && !self.ports.contains(&port) => {
                Err(Refusal::OtherPort { port })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn widen_scope(&mut self, url: &Url) {
        let bound = self.bound(url);
        self.scope.insert(bound);
    }

    /// What two addresses share that are in the same scope.
    fn bound(&self, url: &Url) -> String {
        match self.settings.scope {
            Scope::Site => urls::domain(url),
            Scope::Host => url.host_str().unwrap_or_default().to_owned(),
            Scope::Folder => url.join(".").map_or_else(|_| url.to_string(), String::from),
            Scope::Any => String::new(),
        }
    }

    pub(crate) fn is_in_scope(&self, url: &Url) -> bool {
        match self.settings.scope {
            Scope::Folder => self
                .scope
                .range(..=url.to_string())
                .next_back()
                .is_some_and(|bound| url.as_str().starts_with(bound)),
            _ => self.scope.contains(&self.bound(url)),
        }
    }

    pub(crate) fn domain(&mut self, url: &Url) -> &mut Domain {
        let enough = self.settings.enough;
        self.domains
            .entry(urls::domain(url))
            .or_insert_with(|| Domain::new(enough))
    }

    /// Adds an address that was found, if it is wanted and new.
    pub(crate) fn add(&mut self, found: &Found<'_>) {
        let key = urls::key(&found.url);
        if self.entries.contains_key(&key) && !self.take_back(&key, found) {
            return;
        }
        // What a person named is never changed, and a redirect to a new session would lead back to
        // itself.
        let may_have_id = found.depth > 0 && found.hops == 0 && found.role == Role::Page;
        if may_have_id && let Some(url) = self.domain(&found.url).sessions.without_ids(&found.url) {
            return self.add(&Found {
                url,
                ..found.clone()
            });
        }
        let over = if found.depth > 0 {
            self.bound_reached(&found.url)
        } else {
            None
        };
        if let Some(why) = over {
            self.leave_out(key, found, why);
            return;
        }
        self.domain(&found.url).count(urls::shape(&found.url));
        let entry = Entry {
            number: self.next_number(),
            ..Entry::waiting(found)
        };
        let is_held = may_have_id
            && self.domain(&found.url).sessions.find(&found.url) == sessions::Found::Held;
        if !is_held {
            self.queue(&found.url, key.clone(), &entry);
        }
        self.entries.insert(key.clone(), entry);
        self.note_change(key);
    }

    /// Takes back that an address was left out, if it is wanted now: it was found where it may be
    /// followed, or a person named it. Says whether it is.
    fn take_back(&mut self, key: &str, found: &Found<'_>) -> bool {
        let Some(known) = self.entries.get(key) else {
            return false;
        };
        let Status::Failed(why) = &known.status else {
            return false;
        };
        let is_named = found.depth == 0 && known.depth > 0 && known.is_over_bound;
        if !known.is_passed_over && !is_named {
            return false;
        }
        if why.kind == FailureKind::Left {
            let domain = self.domain(&found.url);
            domain.left_out = domain.left_out.saturating_sub(1);
            domain.tally.left = domain.tally.left.saturating_sub(1);
        }
        true
    }

    /// Notes that an address is not asked for because of where it was found. Addresses of sites of
    /// which nothing is asked are not counted, but for items of a list.
    pub(crate) fn pass_over(&mut self, found: &Found<'_>, why: &str) {
        let key = urls::key(&found.url);
        let is_of_crawl =
            found.place == ITEM || self.domains.contains_key(&urls::domain(&found.url));
        if !is_of_crawl || self.entries.contains_key(&key) {
            return;
        }
        self.leave_out(key.clone(), found, why.to_owned());
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.is_passed_over = true;
        }
    }

    /// Takes what an address has shown of session ids, when there is an answer for good.
    pub(crate) fn take_shown(&mut self, url: &Url, page: Option<&str>) {
        match self.domain(url).sessions.fetched(url, page) {
            Shown::Nothing => {}
            Shown::Wanted(keys) => {
                for key in keys {
                    let Some(entry) = self.entries.get(&key).cloned() else {
                        continue;
                    };
                    if let Ok(url) = urls::normal(None, &entry.url) {
                        self.queue(&url, key, &entry);
                    }
                }
            }
            Shown::Known(name, keys) => {
                self.watch.note(&format!(
                    "{}: {name} names visitors and not pages, and is left off",
                    urls::domain(url)
                ));
                for key in keys {
                    let why = format!("a page that is known, but for the session id in {name}");
                    self.set_failed(&key, Why::new(FailureKind::Left, why));
                }
            }
        }
    }

    /// Notes that an address was found and is not asked for.
    fn leave_out(&mut self, key: String, found: &Found<'_>, why: String) {
        let most = self.settings.per_domain;
        let domain = self.domain(&found.url);
        if domain.left_out >= most {
            domain.count_not_listed(&key);
            return;
        }
        domain.left_out += 1;
        domain.tally.left += 1;
        let entry = Entry {
            number: self.next_number(),
            status: Status::Failed(Why::new(FailureKind::Left, why)),
            is_over_bound: true,
            ..Entry::waiting(found)
        };
        self.entries.insert(key.clone(), entry);
        self.note_change(key);
    }

    /// Why there is no room for an address, if there is none: endless sets of them are cut off
    /// here.
    fn bound_reached(&mut self, url: &Url) -> Option<String> {
        let (most, most_of_shape) = (self.settings.per_domain, self.settings.per_shape);
        let is_list = self.settings.list;
        let most_of_shape = if url.query().is_some() {
            most_of_shape / 10
        } else {
            most_of_shape
        };
        let domain = self.domain(url);
        let shape = urls::shape(url);
        let of_shape = domain.shapes.get(&shape).copied().unwrap_or_default();
        let known = domain.known;
        // The pages of a list and of its items look all alike, and are all wanted.
        let has_room = is_list || of_shape < most_of_shape.max(1);
        let why = if !has_room {
            Some(format!(
                "{shape}: more than {most_of_shape} addresses of this shape, the rest is left out"
            ))
        } else if known >= most {
            Some(format!(
                "{}: more than {most} addresses, the rest is left out",
                urls::domain(url)
            ))
        } else {
            urls::trap(url).map(|why| format!("{url}: left out like others, {why}"))
        };
        if why.is_some() {
            domain.tally.trapped += 1;
        }
        // The first of a domain is told; all are counted.
        let is_first = domain.tally.trapped == 1;
        if let Some(why) = why.as_ref().filter(|_| is_first) {
            self.watch.note(why);
        }
        why
    }

    /// Puts an address into the queue of its domain.
    pub(crate) fn queue(&mut self, url: &Url, key: String, entry: &Entry) {
        let source = source_of(url, entry);
        let domain = self.domain(url);
        // The pages of a list take turns with their items, so that a limit leaves whole records.
        if entry.hops > 0 || matches!(entry.role, Role::Listing(_)) {
            domain.push_urgent(Item::Address(key));
        } else {
            domain.push(&source, key);
        }
        self.offer(&urls::domain(url));
    }

    /// Gives a domain a turn, if it has something to ask for.
    pub(crate) fn offer(&mut self, domain: &str) {
        let now = self.now();
        if self.schedule.is_idle(domain) && self.domains.get(domain).is_some_and(Domain::has_more) {
            self.schedule.offer(domain, now);
        }
    }

    fn queue_revisits(&mut self) {
        while let Some(Reverse((due, _))) = self.revisits.peek()
            && *due <= self.now()
            && let Some(Reverse((_, key))) = self.revisits.pop()
        {
            let Some(mut entry) = self.entries.remove(&key) else {
                continue;
            };
            entry.status = Status::Waiting;
            entry.tries = 0;
            if let Ok(url) = urls::normal(None, &entry.url) {
                self.queue(&url, key.clone(), &entry);
            }
            self.entries.insert(key.clone(), entry);
            self.note_change(key);
        }
    }

    /// Sends requests to the domains whose turn it is.
    fn ask(&mut self) {
        while self.asking < self.settings.parallel && !self.is_full_for_now() {
            let now = self.now();
            let Some(domain) = self.schedule.take(now) else {
                return;
            };
            match self.next_request(&domain) {
                Some((item, request)) => self.send(domain, item, request),
                None => self.schedule.give_back(&domain, now, false),
            }
        }
    }

    /// What to ask a domain for: the rules of an origin before its pages.
    fn next_request(&mut self, name: &str) -> Option<(Item, Request)> {
        loop {
            let item = self.domains.get_mut(name)?.take()?;
            let key = match &item {
                Item::Robots { url, .. } => {
                    let request =
                        self.plain_request(url.clone(), self.settings.limits.robots_bytes);
                    return Some((item, request));
                }
                Item::Address(key) => key.clone(),
            };
            let entry = self.entries.get(&key)?.clone();
            let Ok(url) = urls::normal(None, &entry.url) else {
                continue;
            };
            if self.has_all_pages() && entry.visits == 0 {
                continue;
            }
            match self.is_allowed(&url) {
                Allowed::Yes if self.settings.dry_run && entry.role == Role::Page => {
                    if self.is_full() {
                        self.domains.get_mut(name)?.put_back(item);
                        return None;
                    }
                    self.report.planned.push(entry.url.clone());
                    let why = "it would be asked for";
                    self.set_failed(&key, Why::new(FailureKind::Left, why));
                }
                Allowed::Yes => return Some((item, self.request_for(url, &entry))),
                Allowed::No => self.set_failed(
                    &key,
                    Why::new(FailureKind::Robots, "robots.txt does not allow it"),
                ),
                Allowed::Never(why) => self.set_failed(&key, why),
                Allowed::Ask(tries) => self.ask_rules_before(name, item, &url, tries),
                Allowed::Wait => {
                    self.domains.get_mut(name)?.put_back(item);
                    return None;
                }
            }
        }
    }

    /// Puts the rules of an address's origin before it.
    fn ask_rules_before(&mut self, name: &str, item: Item, url: &Url, tries: u32) {
        let (Some(domain), Ok(robots)) = (self.domains.get_mut(name), url.join("/robots.txt"))
        else {
            return;
        };
        let origin = urls::origin(url);
        domain.put_back(item);
        domain.put_back(Item::Robots {
            origin: origin.clone(),
            url: robots,
            redirects: 0,
        });
        self.origins.insert(origin, Origin::Asked(tries));
    }

    fn is_allowed(&self, url: &Url) -> Allowed {
        match self.origins.get(&urls::origin(url)) {
            Some(Origin::Known(_, read)) if self.now() > *read + RULES_LAST => Allowed::Ask(0),
            Some(Origin::Known(rules, _)) if rules.allow(url) => Allowed::Yes,
            Some(Origin::Known(..)) => Allowed::No,
            Some(Origin::Closed(why)) => Allowed::Never(why.clone()),
            Some(Origin::Asked(_)) => Allowed::Wait,
            Some(Origin::Again(tries)) => Allowed::Ask(*tries),
            None => Allowed::Ask(0),
        }
    }

    fn plain_request(&self, url: Url, body_bytes: usize) -> Request {
        Request {
            url,
            etag: None,
            last_modified: None,
            body_bytes,
            only_pages: false,
        }
    }

    fn request_for(&self, url: Url, entry: &Entry) -> Request {
        let limits = &self.settings.limits;
        match entry.role {
            Role::Listing(_) => self.plain_request(url, limits.sitemap_bytes),
            Role::Page | Role::List => Request {
                etag: entry.last.as_ref().and_then(|last| last.etag.clone()),
                last_modified: entry
                    .last
                    .as_ref()
                    .and_then(|last| last.last_modified.clone()),
                only_pages: true,
                ..self.plain_request(url, limits.body_bytes)
            },
        }
    }

    fn send(&mut self, domain: String, item: Item, request: Request) {
        self.asking += 1;
        self.asking_pages += u64::from(self.counts(&item));
        self.report.requests += 1;
        let (fetcher, events) = (Arc::clone(&self.fetcher), self.events.0.clone());
        tokio::spawn(async move {
            let answer = fetcher.fetch(&request).await;
            // Nobody waits for it any more if the crawl has ended.
            _ = events.send(Done {
                domain,
                item,
                answer,
            });
        });
    }

    /// Whether an item may become a page that was not there before.
    fn counts(&self, item: &Item) -> bool {
        let Item::Address(key) = item else {
            return false;
        };
        self.entries
            .get(key)
            .is_some_and(|entry| !matches!(entry.role, Role::Listing(_)) && entry.visits == 0)
    }

    fn take_answer(&mut self, done: Done) -> Result<(), CrawlError> {
        self.rotate_in_time()?;
        self.asking -= 1;
        self.asking_pages -= u64::from(self.counts(&done.item));
        let domain = done.domain.clone();
        let pause = self.answered(done)?;
        let earliest = self.now() + pause;
        let has_more = self.domains.get(&domain).is_some_and(Domain::has_more);
        self.schedule.give_back(&domain, earliest, has_more);
        Ok(())
    }

    /// Gives up an origin whose rules cannot be read.
    pub(crate) fn close_origin(&mut self, origin: &str, why: Why) {
        self.watch
            .note(&format!("{origin}: given up, {}", why.reason));
        self.origins.insert(origin.to_owned(), Origin::Closed(why));
        // What waits for it now has an answer.
        if let Ok(url) = Url::parse(origin) {
            self.offer(&urls::domain(&url));
        }
    }

    /// Gives up a domain. What waits for it stays in the state, for another day.
    pub(crate) fn stop_domain(&mut self, name: &str, why: &str) {
        let Some(domain) = self.domains.get_mut(name) else {
            return;
        };
        if domain.tally.stopped.is_none() {
            domain.tally.stopped = Some(why.to_owned());
            self.watch.note(&format!("{name}: given up, {why}"));
        }
    }

    /// Notes that there is no page for an address.
    pub(crate) fn set_failed(&mut self, key: &str, why: Why) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        let kind = why.kind;
        entry.status = Status::Failed(why);
        let entry = entry.clone();
        if let Ok(parsed) = urls::normal(None, &entry.url) {
            let source = source_of(&parsed, &self.entries[key]);
            let domain = self.domain(&parsed);
            domain.tally.count_failure(kind);
            domain
                .kinds
                .iter_mut()
                .for_each(|kinds| kinds.add_nothing(&source));
            self.take_shown(&parsed, None);
        }
        self.note_failure(&entry);
        self.note_change(key.to_owned());
    }

    /// Tells whoever looks on.
    pub(crate) fn tell_person(&mut self, note: &str) {
        self.watch.note(note);
    }

    /// Keeps the failure of a given address for the report, or of a page of the list that was asked
    /// for. Other links that lead nowhere are the web's; they are counted, and listed on request.
    fn note_failure(&mut self, entry: &Entry) {
        let is_of_list = self.settings.list
            && matches!(&entry.status, Status::Failed(why) if why.kind != FailureKind::Left);
        if (entry.depth == 0 || is_of_list)
            && self.report.failed.len() < MOST_FAILURES
            && let Some(failure) = failure(entry)
        {
            self.report.failed.push(failure);
        }
    }

    /// Notes that an address may not be asked at all.
    pub(crate) fn refuse(&mut self, address: &str, refusal: &Refusal, depth: u32) {
        let url: String = address.chars().take(LONGEST).collect();
        if let Some(known) = self.entries.get_mut(&url) {
            // A sitemap may have named it before a person did.
            if depth == 0 && known.depth > 0 {
                known.depth = 0;
                let known = known.clone();
                self.note_failure(&known);
            }
            return;
        }
        if depth > 0 && self.refused >= MOST_REFUSED {
            return;
        }
        self.refused += 1;
        let entry = Entry {
            url: url.clone(),
            via: None,
            place: String::new(),
            depth,
            hops: 0,
            role: Role::Page,
            status: Status::Failed(Why::new(
                FailureKind::Refused,
                format!("refused: {refusal}"),
            )),
            tries: 0,
            last: None,
            visits: 0,
            number: self.next_number(),
            leads_to: None,
            is_over_bound: true,
            is_passed_over: false,
        };
        self.note_failure(&entry);
        self.entries.insert(url.clone(), entry);
        self.note_change(url);
    }

    /// Leaves a domain alone for as long as its server asked for, also after the crawl was cut
    /// off.
    pub(crate) fn keep_pause(&mut self, domain: &str, wait: Duration) -> Result<(), CrawlError> {
        let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let until = since_1970().saturating_add(wait);
        Ok(self.files.store.note_pause(domain, until)?)
    }

    pub(crate) fn note_change(&mut self, key: String) {
        self.changed.insert(key);
        self.changed_since.get_or_insert_with(Instant::now);
    }

    /// Notes on the disk what became of addresses.
    fn commit(&mut self) -> Result<(), CrawlError> {
        let changed = std::mem::take(&mut self.changed);
        let entries = changed
            .iter()
            .filter_map(|key| Some((key.as_str(), self.entries.get(key)?)));
        self.files.commit(entries, false)?;
        self.changed_since = None;
        Ok(())
    }

    /// Begins another file if the last one is large enough. What the last one holds is noted
    /// before.
    fn rotate_in_time(&mut self) -> Result<(), CrawlError> {
        if !self.files.warc.is_full() {
            return Ok(());
        }
        self.commit()?;
        self.files.warc.rotate()?;
        self.files.warc.append(&[info(self.settings)])?;
        self.commit()
    }

    /// Why an address still waits at the end.
    fn why_left(&self, entry: &Entry, is_finished: bool, pages: u64) -> Why {
        let url = urls::normal(None, &entry.url).ok();
        let domain = url
            .as_ref()
            .and_then(|url| self.domains.get(&urls::domain(url)));
        let stopped = domain.and_then(|domain| domain.tally.stopped.as_ref());
        let reason = match (stopped, &url) {
            (Some(why), _) => format!("the site was given up: {why}"),
            _ if !is_finished => "not asked for yet".to_owned(),
            _ if self.settings.limit.is_some_and(|limit| pages >= limit) => {
                "there are as many pages as were asked for".to_owned()
            }
            (None, Some(_)) => "there are enough pages of its kind".to_owned(),
            (None, None) => "it cannot be read".to_owned(),
        };
        Why::new(FailureKind::Left, reason)
    }

    fn waiting(&self) -> usize {
        self.domains.values().map(Domain::waiting).sum()
    }

    fn progress(&self) -> Progress {
        let longest = self.domains.values().map(|domain| {
            let pause = self
                .settings
                .latency
                .max(domain.crawl_delay.unwrap_or_default());
            pause * u32::try_from(domain.wanted()).unwrap_or(u32::MAX)
        });
        Progress {
            pages: self.report.pages,
            bytes: self.report.bytes,
            domains: self.domains.len(),
            asking: self.asking,
            waiting: self.waiting(),
            left: longest.max().unwrap_or_default(),
        }
    }

    /// Sums up; an archive that is finished gets its name.
    fn finish(mut self) -> Result<Report, CrawlError> {
        let mut report = std::mem::take(&mut self.report);
        report.took = self.now();
        let is_finished = report.is_finished;
        for entry in self.entries.values() {
            let left = match &entry.status {
                Status::Done { .. } => {
                    report.counts.known += 1;
                    report.counts.fetched += 1;
                    continue;
                }
                Status::Failed(why) => why.clone(),
                Status::Waiting => {
                    let why = self.why_left(entry, is_finished, report.pages);
                    if let Ok(url) = urls::normal(None, &entry.url)
                        && let Some(domain) = self.domains.get_mut(&urls::domain(&url))
                    {
                        domain.tally.left += 1;
                    }
                    why
                }
            };
            report.counts.add_failure(left.kind);
            report.without_page.push(left.of(&entry.url));
        }
        for (name, domain) in &self.domains {
            let not_listed = domain.not_listed.len();
            if not_listed > 0 {
                let why = format!(
                    "{not_listed} more addresses were left out, and are not listed one by one"
                );
                report.counts.known += not_listed;
                report.counts.left += not_listed;
                report
                    .without_page
                    .push(Why::new(FailureKind::Left, why).of(name));
            }
        }
        report
            .without_page
            .sort_by(|one, other| one.url.cmp(&other.url));
        for (name, mut domain) in self.domains {
            domain.tally.left += domain.not_listed.len();
            if let Some(mut kinds) = domain.kinds.take() {
                report.kinds.insert(name.clone(), kinds.finish());
            }
            report.domains.insert(name, domain.tally);
        }
        report.files = self.files.warc.files();
        if is_finished {
            report.files = self.files.finish()?;
        }
        Ok(report)
    }
}

/// Why there is no page of an address, if there is none.
fn failure(entry: &Entry) -> Option<Failure> {
    match &entry.status {
        Status::Failed(why) => Some(why.clone().of(&entry.url)),
        _ => None,
    }
}

/// How many bytes are free where a folder is; nothing where that cannot be told.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

fn since_1970() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// What wrote the archive, and how.
fn info(settings: &Settings) -> Record {
    let lines = [
        ("software", concat!("unmold/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        (
            "conformsTo",
            "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        ),
        ("http-header-user-agent", &settings.user_agent()),
        ("robots", "obey"),
        ("certificates", certificates(settings)),
    ];
    Record::info(SystemTime::now(), &lines)
}

/// How far certificates were believed.
fn certificates(settings: &Settings) -> &'static str {
    match (settings.insecure, settings.trust.is_empty()) {
        (true, _) => "not checked (--insecure)",
        (_, true) => "checked",
        (_, false) => "checked, also against authorities that were given (--trust)",
    }
}

/// Whether a page may be asked for.
enum Allowed {
    Yes,
    No,
    /// The rules of its origin cannot be read.
    Never(Why),
    /// The rules are to be asked for first, for the n-th time.
    Ask(u32),
    /// They are being asked for.
    Wait,
}

/// An address that was found.
#[derive(Clone)]
pub(crate) struct Found<'a> {
    pub(crate) url: Url,
    pub(crate) via: Option<&'a str>,
    pub(crate) place: &'a str,
    pub(crate) depth: u32,
    pub(crate) hops: u32,
    pub(crate) role: Role,
}

impl Entry {
    /// An address that was found and is to be asked for.
    fn waiting(found: &Found<'_>) -> Self {
        Entry {
            url: found.url.to_string(),
            via: found.via.map(str::to_owned),
            place: found.place.to_owned(),
            depth: found.depth,
            hops: found.hops,
            role: found.role,
            status: Status::Waiting,
            tries: 0,
            last: None,
            visits: 0,
            number: 0,
            leads_to: None,
            is_over_bound: false,
            is_passed_over: false,
        }
    }
}

/// The source of the link that led to an address.
pub(crate) fn source_of(url: &Url, entry: &Entry) -> String {
    source(url, &entry.place)
}
