//! Who may ask?
//!
//! The browser that was opened with the address that the program printed, and nothing that other
//! pages make it ask for.
//!
//! 1. `Host` must be a name of this machine: a foreign name that was made to lead here (DNS
//!    rebinding) is refused.
//! 2. `Origin` and `Sec-Fetch-Site` must not speak of another site.
//! 3. The address holds a token that works once. It is changed for a cookie that scripts cannot
//!    read and that other sites cannot make the browser send. The browser that is opened for the user gets the
//!    address by a file that only the user can read: arguments of programs are seen by all users of a machine.
//! 4. What changes something is a `POST`, and carries a second token that only the viewer's own
//!    page has been told.

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::{Arc, Mutex, PoisonError};

/// The header with the token of requests that change something.
pub const TOKEN_HEADER: &str = "x-unmold-token";

/// What the viewer's own page may do: run and load what the viewer has, and nothing else.
const APP_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The secrets of one run of the viewer.
pub struct Guard {
    port: u16,
    /// The token of the address, until it is used.
    ticket: Mutex<Option<String>>,
    cookie: String,
    token: String,
}

impl Guard {
    /// New secrets for a server on a port.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Guard {
            port,
            ticket: Mutex::new(Some(secret()?)),
            cookie: secret()?,
            token: secret()?,
        })
    }

    /// The address to open. It works once.
    pub fn address(&self) -> String {
        let ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        format!(
            "http://127.0.0.1:{}/?token={}",
            self.port,
            ticket.as_deref().unwrap_or_default()
        )
    }

    /// What requests that change something carry.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a host is a name of this machine with our port.
    pub fn knows_host(&self, host: &str) -> bool {
        let names = ["127.0.0.1", "localhost", "[::1]"];
        host.rsplit_once(':')
            .is_some_and(|(name, port)| names.contains(&name) && port == self.port.to_string())
    }

    /// Whether a request came to this machine by its own name, and from no other origin.
    fn is_addressed(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let is_known = text(header::HOST.as_str()).is_some_and(|host| self.knows_host(host));
        let origin = text(header::ORIGIN.as_str());
        let is_ours = origin.is_none_or(|origin| {
            origin
                .strip_prefix("http://")
                .is_some_and(|host| self.knows_host(host))
        });
        is_known && is_ours
    }

    /// Cookies are shared by all ports of a machine: each viewer has its own name.
    fn cookie_name(&self) -> String {
        format!("unmold-{}", self.port)
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut pairs = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(known, value)| known == name && is_same(value, &self.cookie))
    }

    /// Takes the token of the address; it works once.
    fn admit(&self, given: &str) -> bool {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right = ticket
            .as_deref()
            .is_some_and(|ticket| is_same(ticket, given));
        if is_right {
            *ticket = None;
        }
        is_right
    }

    /// The answer to the address that was printed: the cookie, and the same address without the
    /// token. It may be followed from anywhere, since nobody else knows the token.
    fn entrance(&self, request: &Request) -> Option<Response> {
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == "/")?;
        let given = query
            .split('&')
            .find_map(|pair| pair.strip_prefix("token="))?;
        let to_start = [(header::LOCATION, "/".to_owned())];
        if request.method() == Method::GET && self.admit(given) {
            let cookie = format!(
                "{}={}; HttpOnly; SameSite=Strict; Path=/",
                self.cookie_name(),
                self.cookie
            );
            let with_cookie = [(header::SET_COOKIE, cookie)];
            if !is_from_here(request.headers()) {
                let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
                return Some((with_cookie, html, ONWARD).into_response());
            }
            return Some((StatusCode::SEE_OTHER, to_start, with_cookie).into_response());
        }
        // Whoever is in may follow the address again.
        (is_from_here(request.headers()) && self.has_cookie(request.headers()))
            .then(|| (StatusCode::SEE_OTHER, to_start).into_response())
    }

    fn may_change(&self, request: &Request) -> bool {
        let given = request
            .headers()
            .get(TOKEN_HEADER)
            .and_then(|value| value.to_str().ok());
        request.method() != Method::POST || given.is_some_and(|given| is_same(given, &self.token))
    }
}

/// The page that leads a browser on that was opened with a file: a redirect from there would come without the
/// cookie, which goes with what our own pages ask for.
const ONWARD: &str =
    "<!doctype html><title>Unmold</title><meta http-equiv=refresh content='0; url=/'>";

/// Whether a request was caused by our own page or by the person at the browser.
fn is_from_here(headers: &HeaderMap) -> bool {
    let site = headers
        .get("sec-fetch-site")
        .map(|value| value.to_str().unwrap_or("?"));
    matches!(site, None | Some("same-origin" | "none"))
}

/// Lets requests pass that may, and forbids the browser all that the viewer does not need.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    const ELSEWHERE: &str = "Requests from other places are not answered.";
    let response = if !guard.is_addressed(request.headers()) {
        refusal(ELSEWHERE)
    } else if let Some(entrance) = guard.entrance(&request) {
        entrance
    } else if !is_from_here(request.headers()) {
        refusal(ELSEWHERE)
    } else if !guard.has_cookie(request.headers()) {
        refusal("This address opens once, in one browser. Start `unmold view` again for a new one.")
    } else if !guard.may_change(&request) {
        refusal("The token is missing.")
    } else {
        next.run(request).await
    };
    with_headers(response)
}

fn refusal(reason: &'static str) -> Response {
    (StatusCode::FORBIDDEN, Body::from(reason)).into_response()
}

fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(
        "cross-origin-resource-policy",
        HeaderValue::from_static("same-origin"),
    );
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(APP_POLICY));
    response
}

/// 128 random bits in hexadecimal digits.
fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .fold(0, |differing, (a, b)| differing | (a ^ b))
            == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_known() {
        let guard = Guard::new(4000).unwrap();
        for host in ["127.0.0.1:4000", "localhost:4000", "[::1]:4000"] {
            assert!(guard.knows_host(host), "{host}");
        }
        for host in [
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1.evil.example:4000",
            "",
        ] {
            assert!(!guard.knows_host(host), "{host}");
        }
    }

    #[test]
    fn the_token_of_the_address_works_once() {
        let guard = Guard::new(4000).unwrap();
        let token = guard.address().split_once("token=").unwrap().1.to_owned();
        assert!(
            !guard.admit("0".repeat(32).as_str()) && guard.admit(&token) && !guard.admit(&token)
        );
    }
}
