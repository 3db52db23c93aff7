//! Which requests are answered: those to the secret address, from a page of this server.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The bytes of the secret in the address.
const SECRET_BYTES: usize = 16;

/// What pages may do: load their own parts and speak with this server, nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The headers of all responses.
const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Knows the address.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    port: u16,
    secret: String,
}

impl Guard {
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes)?;
        let secret = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { port, secret })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.secret)
    }

    /// The path below which everything is.
    pub(super) fn root(&self) -> String {
        format!("/{}", self.secret)
    }

    /// Whether a host is this server. A page elsewhere can have its own name lead to this machine,
    /// but not the browser send another name than its own.
    fn is_here(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"]
            .iter()
            .any(|name| host == format!("{name}:{}", self.port))
    }

    fn admits(&self, path: &str, headers: &HeaderMap) -> Result<(), StatusCode> {
        let text = |header: &HeaderValue| header.to_str().map(str::to_owned).unwrap_or_default();
        let all = |name: HeaderName| headers.get_all(name).iter().map(text);
        let hosts: Vec<String> = all(HOST).collect();
        if hosts.len() != 1 || !self.is_here(&hosts[0]) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        let mut origins = all(ORIGIN);
        if !origins.all(|it| {
            it.strip_prefix("http://")
                .is_some_and(|host| self.is_here(host))
        }) {
            return Err(StatusCode::FORBIDDEN);
        }
        let first = path
            .trim_start_matches('/')
            .split('/')
            .next()
            .unwrap_or_default();
        if is_same(first, &self.secret) {
            Ok(())
        } else {
            Err(StatusCode::NOT_FOUND)
        }
    }
}

/// Compare in a time that doesn't tell where texts differ.
fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Refuse all other requests, and add the headers that bind the page.
pub(super) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.admits(request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(status) => status.into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}
