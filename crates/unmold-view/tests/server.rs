//! The server as others meet it: by bytes over a connection.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
};
use unmold::{Mold, Text};
use unmold_view::Viewer;

struct Client {
    port: String,
    token: String,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

fn pages() -> Vec<Text> {
    let page = |name: &str, weight: &str| {
        let body = format!(
            "<h1>{name}</h1><table><tr><th>Weight:<td>{weight}</table><p>All rights reserved"
        );
        Text::from_string(format!("../{name}.html"), body)
    };
    vec![
        page("Kettle", "1.2 kg"),
        page("Skillet", "2.6 kg"),
        page("Knife", "180 g"),
    ]
}

impl Client {
    /// A client of a viewer that runs until the tests end.
    fn new() -> Self {
        let mold = Mold::learn(&pages()).unwrap();
        Client::of(Viewer::new(pages(), mold))
    }

    fn of(viewer: Viewer) -> Self {
        let server = viewer.bind(0).unwrap();
        let url = server.url();
        thread::spawn(|| server.run());
        let (address, token) = url.split_once("/?token=").unwrap();
        Client {
            port: address.rsplit_once(':').unwrap().1.to_owned(),
            token: token.to_owned(),
        }
    }

    fn own(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn ask(&self, line: &str, headers: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap();
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    /// Headers with the cookie that the address is changed for.
    fn enter(&self) -> String {
        let answer = self.ask(&format!("GET /?token={}", self.token), &self.own(), "");
        assert_eq!(answer.status, 303);
        let cookie = answer
            .head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .unwrap()
            .to_owned();
        assert!(
            cookie.contains("httponly") && cookie.contains("samesite=strict"),
            "{cookie}"
        );
        format!(
            "{}Cookie: {}\r\n",
            self.own(),
            cookie.split(';').next().unwrap()
        )
    }
}

#[test]
fn strangers_are_refused() {
    let client = Client::new();
    let entrance = format!("GET /?token={}", client.token);
    let foreign = [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{}\r\n", client.port),
        String::new(),
    ];
    for headers in &foreign {
        assert_eq!(client.ask(&entrance, headers, "").status, 403, "{headers}");
    }
    for more in ["Origin: http://evil.example\r\n", "Origin: null\r\n"] {
        assert_eq!(
            client.ask(&entrance, &(client.own() + more), "").status,
            403,
            "{more}"
        );
    }
    assert_eq!(client.ask("GET /", &client.own(), "").status, 403);
    assert_eq!(client.ask("GET /app.js", &client.own(), "").status, 403);
    let entered = client.enter();
    assert_eq!(
        client.ask(&entrance, &client.own(), "").status,
        403,
        "the address works once"
    );
    assert_eq!(client.ask("GET /", &entered, "").status, 200);
    for more in [
        "Origin: http://evil.example\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        let headers = entered.clone() + more;
        assert_eq!(client.ask("GET /", &headers, "").status, 403, "{more}");
    }
}

/// The browser is opened with a file, and asks as if another site had led it here.
#[test]
fn a_file_with_the_token_leads_in_once() {
    let client = Client::new();
    let from_file = client.own() + "Sec-Fetch-Site: cross-site\r\n";
    let wrong = client.ask("GET /?token=0123", &from_file, "");
    assert_eq!(wrong.status, 403);
    let entrance = format!("GET /?token={}", client.token);
    let entered = client.ask(&entrance, &from_file, "");
    assert_eq!(entered.status, 200);
    assert!(entered.body.contains("url=/"), "{}", entered.body);
    assert_eq!(client.ask(&entrance, &from_file, "").status, 403);
}

#[test]
fn only_numbers_lead_to_pages() {
    let client = Client::new();
    let entered = client.enter();
    assert_eq!(client.ask("GET /api/page/0", &entered, "").status, 200);
    for path in [
        "/api/page/3",
        "/api/page/..%2fKettle.html",
        "/api/page/-1",
        "/api/page/+1",
        "/frame/../../etc/passwd",
        "/file?path=/etc/passwd",
    ] {
        assert_eq!(
            client.ask(&format!("GET {path}"), &entered, "").status,
            404,
            "{path}"
        );
    }
}

#[test]
fn it_opens_at_the_page_that_was_named() {
    let opened = |client: Client| client.ask("GET /api/state", &client.enter(), "").body;
    assert!(opened(Client::new()).contains("\"opensAt\":null"));
    let viewer = |page| Viewer::new(pages(), Mold::learn(&pages()).unwrap()).opens_at(Some(page));
    let body = opened(Client::of(viewer(2)));
    assert!(
        body.contains("\"opensAt\":{\"group\":0,\"page\":2}"),
        "{body}"
    );
    assert!(
        opened(Client::of(viewer(3))).contains("\"opensAt\":null"),
        "there is no such page"
    );
}

#[test]
fn the_policies_forbid_all_that_is_not_needed() {
    let client = Client::new();
    let entered = client.enter();
    let app = client.ask("GET /", &entered, "").head;
    assert!(
        app.contains(
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'"
        ),
        "{app}"
    );
    let frame = client.ask("GET /frame/0", &entered, "");
    let policy = "content-security-policy: sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";
    assert!(frame.head.contains(policy), "{}", frame.head);
    assert!(frame.body.contains("title=\"Weight\">"), "{}", frame.body);
    for header in [
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(
            app.contains(header) && frame.head.contains(header),
            "{header}"
        );
    }
}

#[test]
fn edits_need_the_token_and_change_what_is_exported() {
    let client = Client::new();
    let entered = client.enter();
    let state = client.ask("GET /api/state", &entered, "").body;
    let token = state
        .split_once("\"token\":\"")
        .unwrap()
        .1
        .split('"')
        .next()
        .unwrap();
    let edit = r#"{"version":0,"edit":{"do":"rename","group":0,"field":1,"name":"mass"}}"#;
    assert_eq!(client.ask("POST /api/edit", &entered, edit).status, 403);
    let allowed = format!("{entered}X-Unmold-Token: {token}\r\n");
    assert_eq!(client.ask("POST /api/edit", &allowed, edit).status, 200);
    assert_eq!(
        client.ask("POST /api/edit", &allowed, edit).status,
        409,
        "the mold has changed"
    );
    let table = client.ask("GET /export/csv", &entered, "").body;
    assert_eq!(table.lines().next().unwrap(), "page,url,group,title,mass");
    assert_eq!(client.ask("POST /api/undo", &allowed, "{}").status, 200);
    let table = client.ask("GET /export/csv", &entered, "").body;
    assert_eq!(table.lines().next().unwrap(), "page,url,group,title,Weight");
}
