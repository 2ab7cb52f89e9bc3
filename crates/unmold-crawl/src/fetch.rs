//! What does a server answer to one request?
//!
//! One request, one answer: redirects are not followed here, since each hop has to wait its turn
//! and be checked like any other address. Every step has an end: connecting, the first byte, the
//! whole, the rate in between, the size of header and body.

use crate::{
    address::{Guard, Refusal},
    body::{Body, Unpacked},
    report::{FailureKind, Why},
    resolve::{CheckedResolver, LookupError},
    settings::{Limits, Settings},
};
use reqwest::{Certificate, Client, Response, Version, header::HeaderMap, redirect::Policy};
use std::{
    error::Error,
    fmt::Write as _,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};
use url::Url;

/// Asks servers.
pub(crate) struct Fetcher {
    client: Client,
    guard: Arc<Guard>,
    limits: Limits,
    user_agent: String,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) url: Url,
    /// What the server called the version that is known already.
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    /// The most bytes that are wanted, packed or unpacked.
    pub(crate) body_bytes: usize,
    /// Whether only pages are wanted, and no pictures, films or archives.
    pub(crate) only_pages: bool,
}

/// What a server answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) date: SystemTime,
    pub(crate) status: u16,
    headers: HeaderMap,
    is_http2: bool,
    pub(crate) ip: Option<IpAddr>,
    /// The body as it came.
    pub(crate) raw: Vec<u8>,
    /// The body unpacked.
    pub(crate) body: Vec<u8>,
    pub(crate) cut: Option<Cut>,
    pub(crate) took: Duration,
    request: String,
}

/// Why a body was not taken to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Length,
    Time,
}

impl Cut {
    /// The word that WARC has for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Cut::Length => "length",
            Cut::Time => "time",
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("refused: {0}")]
    Refused(#[from] Refusal),
    #[error("{0}")]
    Name(String),
    #[error("no connection: {0}")]
    Connect(String),
    #[error("the certificate is not trusted: {0}")]
    Certificate(String),
    #[error("no answer within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    #[error("the answer came too slowly: {0} bytes in {secs} s", secs = .1.as_secs())]
    Slow(usize, Duration),
    #[error("the header of the answer has more than {0}")]
    Header(&'static str),
    #[error("the answer is not HTTP as it should be: {0}")]
    Protocol(String),
    #[error("not a page: {0}")]
    NotAPage(String),
}

impl FetchError {
    /// Why there is no page, for the report.
    pub(crate) fn why(&self) -> Why {
        let kind = match self {
            FetchError::Refused(_) => FailureKind::Refused,
            FetchError::Name(_) => FailureKind::Name,
            FetchError::Connect(_) => FailureKind::Connection,
            FetchError::Certificate(_) => FailureKind::Certificate,
            FetchError::Timeout(_) => FailureKind::Timeout,
            FetchError::Slow(..) => FailureKind::Slow,
            FetchError::Header(_) => FailureKind::Header,
            FetchError::Protocol(_) => FailureKind::Protocol,
            FetchError::NotAPage(_) => FailureKind::NotAPage,
        };
        Why::new(kind, self.to_string())
    }

    /// Whether it may go better another time.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(
            self,
            FetchError::Name(_)
                | FetchError::Connect(_)
                | FetchError::Timeout(_)
                | FetchError::Slow(..)
                | FetchError::Protocol(_)
        )
    }

    /// Whether it says something about the server rather than about one address.
    pub(crate) fn is_of_server(&self) -> bool {
        self.is_passing() || matches!(self, FetchError::Certificate(_))
    }
}

const ACCEPT: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1";
const ACCEPT_ENCODING: &str = "gzip, br, zstd";
/// Over how long the least rate is measured.
const RATE_WINDOW: Duration = Duration::from_secs(20);

impl Fetcher {
    pub(crate) fn new(settings: &Settings) -> Result<Self, String> {
        let (guard, limits) = (Arc::new(settings.guard.clone()), settings.limits.clone());
        // Only the first call sets it; any other provider that a program has chosen is as good.
        _ = rustls::crypto::ring::default_provider().install_default();
        // A little less than there is for the whole connection, so that a name that takes too long
        // is what is blamed.
        let patience = limits.connect * 9 / 10;
        let resolver =
            CheckedResolver::new(Arc::clone(&guard), Arc::clone(&settings.names), patience);
        let client = Client::builder()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .referer(false)
            .dns_resolver(resolver)
            .connect_timeout(limits.connect)
            .pool_max_idle_per_host(1)
            .http1_max_headers(limits.header_lines)
            .http2_max_header_list_size(limits.header_bytes as u32)
            .tls_certs_merge(authorities(&settings.trust)?)
            .tls_danger_accept_invalid_certs(settings.insecure)
            .build()
            .map_err(|error| chain(&error))?;
        Ok(Fetcher {
            client,
            guard,
            limits,
            user_agent: settings.user_agent(),
        })
    }

    /// Asks once.
    pub(crate) async fn fetch(&self, request: &Request) -> Result<Answer, FetchError> {
        self.guard.check(&request.url)?;
        let (date, started) = (SystemTime::now(), Instant::now());
        let sent = self.sent_headers(request);
        let response = self.response(request, &sent).await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let ip = response.remote_addr().map(|address| address.ip());
        let is_http2 = response.version() == Version::HTTP_2;
        let (Unpacked { raw, plain: body }, cut) =
            self.body(response, request.body_bytes, started).await?;
        let request = head_of_request(&request.url, &sent);
        Ok(Answer {
            date,
            status,
            headers,
            is_http2,
            ip,
            raw,
            body,
            cut,
            took: started.elapsed(),
            request,
        })
    }

    /// Sends a request, and reads the header of what comes back.
    async fn response(
        &self,
        request: &Request,
        sent: &[(&'static str, String)],
    ) -> Result<Response, FetchError> {
        let builder = self.client.get(request.url.clone());
        let builder = sent.iter().fold(builder, |builder, (name, value)| {
            builder.header(*name, value.as_str())
        });
        let patience = (self.limits.connect + self.limits.first_byte).min(self.limits.total);
        let answered = tokio::time::timeout(patience, builder.send()).await;
        let response = answered.map_err(|_| FetchError::Timeout(patience))?;
        let response = response.map_err(|error| classified(&error, patience))?;
        check_header(response.headers(), &self.limits)?;
        if request.only_pages && response.status().is_success() {
            check_media_type(response.headers())?;
        }
        Ok(response)
    }

    fn sent_headers(&self, request: &Request) -> Vec<(&'static str, String)> {
        let mut sent = vec![
            ("user-agent", self.user_agent.clone()),
            ("accept", ACCEPT.to_owned()),
            ("accept-encoding", ACCEPT_ENCODING.to_owned()),
        ];
        sent.extend(request.etag.clone().map(|etag| ("if-none-match", etag)));
        sent.extend(
            request
                .last_modified
                .clone()
                .map(|date| ("if-modified-since", date)),
        );
        sent
    }

    /// Reads the body, as long as it comes fast enough and is not too long.
    async fn body(
        &self,
        mut response: Response,
        limit: usize,
        started: Instant,
    ) -> Result<(Unpacked, Option<Cut>), FetchError> {
        let encoding = header(response.headers(), "content-encoding").unwrap_or_default();
        let mut body = Body::new(&encoding, limit);
        let (mut window, mut before) = (Instant::now(), 0);
        loop {
            let left = self.limits.total.saturating_sub(started.elapsed());
            let left_of_window = RATE_WINDOW.saturating_sub(window.elapsed());
            match tokio::time::timeout(left.min(left_of_window), response.chunk()).await {
                Ok(Ok(Some(chunk))) if body.push(&chunk).is_err() => {
                    return Ok((body.finish(), Some(Cut::Length)));
                }
                Ok(Ok(Some(_))) => {}
                Ok(Ok(None)) => return Ok((body.finish(), None)),
                Ok(Err(error)) => return Err(classified(&error, self.limits.total)),
                Err(_) => {}
            }
            if started.elapsed() >= self.limits.total {
                return self.cut_by_time(body);
            }
            if window.elapsed() >= RATE_WINDOW {
                let came = body.len() - before;
                if came < self.limits.least_rate * RATE_WINDOW.as_secs() as usize {
                    return Err(FetchError::Slow(came, RATE_WINDOW));
                }
                (window, before) = (Instant::now(), body.len());
            }
        }
    }

    /// What came in time is kept, if anything did.
    fn cut_by_time(&self, body: Body) -> Result<(Unpacked, Option<Cut>), FetchError> {
        if body.len() == 0 {
            Err(FetchError::Timeout(self.limits.total))
        } else {
            Ok((body.finish(), Some(Cut::Time)))
        }
    }
}

impl Answer {
    /// The value of a header field.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        header(&self.headers, name)
    }

    /// All values of a header field.
    pub(crate) fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        self.headers
            .get_all(name)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    /// The media type, in lower case, and the charset.
    pub(crate) fn media_type(&self) -> (String, Option<String>) {
        let value = self.header("content-type").unwrap_or_default();
        let (media_type, rest) = value.split_once(';').unwrap_or((&value, ""));
        let charset = rest.split(';').find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim()
                .eq_ignore_ascii_case("charset")
                .then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        (media_type.trim().to_ascii_lowercase(), charset)
    }

    /// The request, as HTTP/1.1 writes it.
    pub(crate) fn request_bytes(&self) -> Vec<u8> {
        self.request.clone().into_bytes()
    }

    /// Status line and header, as HTTP/1.1 writes them. The body is stored without chunks, so the
    /// field that says that it came in chunks is left out.
    pub(crate) fn head_bytes(&self) -> Vec<u8> {
        let reason = reqwest::StatusCode::from_u16(self.status)
            .ok()
            .and_then(|status| status.canonical_reason());
        let mut head = format!(
            "HTTP/1.1 {} {}\r\n",
            self.status,
            reason.unwrap_or_default()
        )
        .into_bytes();
        for (name, value) in &self.headers {
            if name != "transfer-encoding" {
                head.extend_from_slice(name.as_str().as_bytes());
                head.extend_from_slice(b": ");
                head.extend_from_slice(value.as_bytes());
                head.extend_from_slice(b"\r\n");
            }
        }
        head.extend_from_slice(b"\r\n");
        head
    }

    /// The protocol, where it is not the one that records are written in.
    pub(crate) fn protocol(&self) -> Option<&'static str> {
        self.is_http2.then_some("h2")
    }
}

/// The authorities of files in PEM form.
fn authorities(files: &[Vec<u8>]) -> Result<Vec<Certificate>, String> {
    let mut all = Vec::new();
    for file in files {
        let found = Certificate::from_pem_bundle(file).map_err(|error| chain(&error))?;
        if found.is_empty() {
            return Err("a file of trusted authorities has no certificate in PEM form".into());
        }
        all.extend(found);
    }
    Ok(all)
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get(name)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn check_header(headers: &HeaderMap, limits: &Limits) -> Result<(), FetchError> {
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + 4)
        .sum();
    if bytes > limits.header_bytes {
        return Err(FetchError::Header("64 KiB"));
    }
    if headers.len() > limits.header_lines {
        Err(FetchError::Header("200 lines"))
    } else {
        Ok(())
    }
}

/// What is said to be a picture, a film, a font or a program is not read.
fn check_media_type(headers: &HeaderMap) -> Result<(), FetchError> {
    let said = header(headers, "content-type")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let said = said.split(';').next().unwrap_or_default().trim();
    let is_page = said.is_empty()
        || said.starts_with("text/")
        || said.contains("xml")
        || said.contains("html");
    let may_be = matches!(
        said,
        "application/octet-stream" | "application/gzip" | "application/x-gzip"
    );
    if is_page && !matches!(said, "text/css" | "text/javascript") || may_be {
        Ok(())
    } else {
        Err(FetchError::NotAPage(said.to_owned()))
    }
}

fn head_of_request(url: &Url, sent: &[(&'static str, String)]) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let query = url
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    let mut head = format!(
        "GET {}{query} HTTP/1.1\r\nhost: {host}{port}\r\n",
        url.path()
    );
    sent.iter()
        .for_each(|(name, value)| _ = write!(head, "{name}: {value}\r\n"));
    head + "\r\n"
}

/// Which kind of failure an error is, told by what caused it.
fn classified(error: &reqwest::Error, patience: Duration) -> FetchError {
    match lookup_error(error) {
        Some(LookupError::Refused(refusal)) => return FetchError::Refused(refusal.clone()),
        Some(lookup) => return FetchError::Name(lookup.to_string()),
        None => {}
    }
    let said = chain(error);
    if said.contains("certificate") {
        FetchError::Certificate(said)
    } else if error.is_timeout() {
        FetchError::Timeout(patience)
    } else if error.is_connect() {
        FetchError::Connect(said)
    } else {
        FetchError::Protocol(said)
    }
}

fn lookup_error(error: &reqwest::Error) -> Option<&LookupError> {
    causes(error).find_map(|cause| cause.downcast_ref::<LookupError>())
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn Error + 'static)| {
        (*error).source()
    })
}

/// The innermost causes of an error, which say what happened; the outer ones repeat the address.
fn chain(error: &reqwest::Error) -> String {
    let said: Vec<String> = causes(error).skip(1).map(ToString::to_string).collect();
    match said.last() {
        Some(last) => last.clone(),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(said: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", said.parse().unwrap());
        headers
    }

    #[test]
    fn only_what_may_be_a_page_is_read() {
        for said in [
            "text/html; charset=x",
            "application/xhtml+xml",
            "text/plain",
            "application/rss+xml",
            "application/gzip",
        ] {
            assert!(check_media_type(&headers(said)).is_ok(), "{said}");
        }
        for said in [
            "image/png",
            "application/pdf",
            "video/mp4",
            "text/css",
            "application/json",
        ] {
            assert!(check_media_type(&headers(said)).is_err(), "{said}");
        }
        assert!(check_media_type(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn the_request_is_written_as_it_is_sent() {
        let url = Url::parse("http://a.example:8080/x?y=1#z").unwrap();
        let head = head_of_request(&url, &[("user-agent", "unmold".into())]);
        assert_eq!(
            head,
            "GET /x?y=1 HTTP/1.1\r\nhost: a.example:8080\r\nuser-agent: unmold\r\n\r\n"
        );
    }
}
