//! The same over HTTP/2: what comes is kept, and what breaks off is an error of one page.

use crate::{
    run,
    secure::{Authority, VALID},
    settings,
};
use h2::Reason;
use std::{
    io::Cursor,
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
};
use unmold_crawl::{FailureKind, Settings};

type Bytes = Cursor<Vec<u8>>;
type Respond = h2::server::SendResponse<Bytes>;

/// A server of which each path goes wrong in its own way.
struct Server {
    port: u16,
    authority: Authority,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        let authority = Authority::new();
        let acceptor =
            tokio_rustls::TlsAcceptor::from(authority.identity("a.example", VALID).config("h2"));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    let (acceptor, log) = (acceptor.clone(), Arc::clone(&log));
                    tokio::spawn(async move {
                        // How the connection ends is for the client to judge.
                        if let Ok(stream) = acceptor.accept(stream).await {
                            _ = serve(stream, &log).await;
                        }
                    });
                }
            });
        });
        Server {
            port,
            authority,
            asked,
        }
    }

    fn settings(&self) -> Settings {
        settings(&["a.example"]).trust(vec![self.authority.pem.clone().into_bytes()])
    }

    fn url(&self, path: &str) -> String {
        format!("https://a.example:{}{path}", self.port)
    }

    fn asked(&self, path: &str) -> usize {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .filter(|asked| *asked == path)
            .count()
    }
}

async fn serve<S>(stream: S, log: &Mutex<Vec<String>>) -> Result<(), h2::Error>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let mut connection = h2::server::Builder::new()
        .handshake::<_, Bytes>(stream)
        .await?;
    while let Some(request) = connection.accept().await {
        let (request, respond) = request?;
        let path = request.uri().path().to_owned();
        log.lock().unwrap().push(path.clone());
        if path == "/goaway" {
            connection.abrupt_shutdown(Reason::ENHANCE_YOUR_CALM);
            continue;
        }
        answer(&path, respond)?;
    }
    Ok(())
}

fn answer(path: &str, mut respond: Respond) -> Result<(), h2::Error> {
    match path {
        "/robots.txt" => begin(&mut respond, 404, 0)?.send_data(data("none"), true),
        "/refused" => {
            respond.send_reset(Reason::REFUSED_STREAM);
            Ok(())
        }
        "/reset" => {
            let mut body = begin(&mut respond, 200, 0)?;
            body.send_data(data("<p>half"), false)?;
            body.send_reset(Reason::INTERNAL_ERROR);
            Ok(())
        }
        "/header" => begin(&mut respond, 200, 100_000)?.send_data(data("<p>page"), true),
        path => begin(&mut respond, 200, 0)?.send_data(data(&format!("<p>{path}")), true),
    }
}

fn begin(
    respond: &mut Respond,
    status: u16,
    padding: usize,
) -> Result<h2::SendStream<Bytes>, h2::Error> {
    let head = http::Response::builder()
        .status(status)
        .header("content-type", "text/html");
    respond.send_response(
        head.header("x-padding", "x".repeat(padding))
            .body(())
            .unwrap(),
        false,
    )
}

fn data(text: &str) -> Bytes {
    Cursor::new(text.as_bytes().to_vec())
}

#[test]
fn pages_come_over_http2_and_the_archive_says_so() {
    let server = Server::start();
    let given = ["/one", "/two"].map(|path| server.url(path));
    let crawled = run(&server.settings(), &given);
    assert_eq!(crawled.pages(), given, "{:?}", crawled.report.failed);
    let text = crawled.text();
    assert_eq!(text.matches("WARC-Protocol: h2\r\n").count(), 2, "{text}");
    assert!(
        text.contains("HTTP/1.1 200 OK\r\ncontent-type: text/html"),
        "written so that every reader can read it"
    );
}

#[test]
fn streams_and_connections_that_break_off_cost_their_page_after_a_few_tries() {
    let server = Server::start();
    let paths = ["/refused", "/reset", "/goaway", "/header"];
    let given: Vec<String> = paths
        .iter()
        .chain(&["/page"])
        .map(|path| server.url(path))
        .collect();
    let crawled = run(&server.settings().retries(2), &given);
    assert_eq!(
        crawled.pages(),
        [server.url("/page")],
        "{:?}",
        crawled.report.failed
    );
    for path in ["/refused", "/reset", "/goaway"] {
        let failed = crawled
            .report
            .failed
            .iter()
            .find(|failed| failed.url.ends_with(path));
        assert!(
            failed.is_some_and(|failed| failed.kind == FailureKind::Protocol),
            "{path}: {failed:?}"
        );
        assert_eq!(server.asked(path), 3, "{path} is tried three times");
    }
    assert!(!crawled.reason("/header").is_empty());
}
