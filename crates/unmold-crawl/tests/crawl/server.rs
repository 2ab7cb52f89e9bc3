//! A web server on this machine that says what it is told to, and writes down who asked for what
//! and when.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// A request that came.
#[derive(Clone, Debug)]
pub struct Hit {
    pub at: Instant,
    pub host: String,
    pub path: String,
    pub head: String,
}

/// What is answered.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    manner: Manner,
}

#[derive(Clone, Debug, Default)]
enum Manner {
    #[default]
    Whole,
    /// The header, and then a byte at a time for ever.
    Drip(Duration),
    /// The body over and over.
    Endless,
    /// Nothing at all.
    Silent,
    /// These bytes, and the end of the connection.
    Raw,
}

impl Reply {
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Reply::new(200, body).with("Content-Type", "text/html; charset=utf-8")
    }

    pub fn text(body: impl Into<Vec<u8>>) -> Self {
        Reply::new(200, body).with("Content-Type", "text/plain")
    }

    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Reply {
            status,
            body: body.into(),
            ..Reply::default()
        }
    }

    pub fn redirect(to: impl Into<String>) -> Self {
        Reply::new(302, "moved").with("Location", to)
    }

    pub fn missing() -> Self {
        Reply::new(404, "not here").with("Content-Type", "text/html")
    }

    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Reply {
            body: bytes.into(),
            manner: Manner::Raw,
            ..Reply::default()
        }
    }

    pub fn silent() -> Self {
        Reply {
            manner: Manner::Silent,
            ..Reply::default()
        }
    }

    pub fn dripping(self, every: Duration) -> Self {
        Reply {
            manner: Manner::Drip(every),
            ..self
        }
    }

    pub fn endless(self) -> Self {
        Reply {
            manner: Manner::Endless,
            ..self
        }
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        let mut head = format!("HTTP/1.1 {} Said\r\n", self.status);
        self.headers
            .iter()
            .for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        match &self.manner {
            Manner::Whole => {
                head += &format!("Content-Length: {}\r\n\r\n", self.body.len());
                stream.write_all(&[head.as_bytes(), &self.body].concat())
            }
            Manner::Raw => {
                stream.write_all(&self.body)?;
                stream.shutdown(std::net::Shutdown::Both)
            }
            Manner::Silent => loop {
                thread::sleep(Duration::from_millis(200));
                stream.set_nonblocking(true)?;
                // Whether the other side has gone.
                if matches!(stream.peek(&mut [0]), Ok(0)) {
                    return Ok(());
                }
            },
            Manner::Drip(every) => {
                stream.write_all(format!("{head}\r\n").as_bytes())?;
                loop {
                    stream.write_all(b"x")?;
                    thread::sleep(*every);
                }
            }
            Manner::Endless => {
                // Raw bytes have their own head, over and over.
                if self.status > 0 {
                    stream.write_all(format!("{head}\r\n").as_bytes())?;
                }
                loop {
                    stream.write_all(&self.body)?;
                }
            }
        }
    }
}

pub struct Server {
    pub port: u16,
    log: Arc<Mutex<Vec<Hit>>>,
}

impl Server {
    pub fn start(answer: impl Fn(&Hit) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let log: Arc<Mutex<Vec<Hit>>> = Arc::default();
        let (answer, written) = (Arc::new(answer), Arc::clone(&log));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&written));
                thread::spawn(move || serve(stream, &*answer, &log));
            }
        });
        Server { port, log }
    }

    pub fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.port)
    }

    pub fn hits(&self) -> Vec<Hit> {
        self.log.lock().unwrap().clone()
    }

    /// The paths that a host was asked for, without its rules.
    pub fn paths(&self, host: &str) -> Vec<String> {
        let hits = self.hits();
        hits.into_iter()
            .filter(|hit| hit.host == host && hit.path != "/robots.txt")
            .map(|hit| hit.path)
            .collect()
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&Hit) -> Reply, log: &Mutex<Vec<Hit>>) {
    stream.set_nodelay(true).ok();
    while let Some(head) = read_head(&mut stream) {
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let host = head
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .unwrap_or_default();
        let host = host.split(':').next().unwrap_or_default().to_owned();
        let hit = Hit {
            at: Instant::now(),
            host,
            path,
            head,
        };
        log.lock().unwrap().push(hit.clone());
        if answer(&hit).send(&mut stream).is_err() {
            return;
        }
    }
}

fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    String::from_utf8(head).ok()
}
