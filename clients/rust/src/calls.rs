use std::fmt;
use std::io::Read;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::http::{Request, Response, request::Builder};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, AsSendBody, Body};

use crate::license::text;
use crate::{Client, Error};

/// The maximum size of an answer other than a download, in bytes, and of a remembered text.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

impl Error {
    pub(crate) fn new(code: &str, message: impl ToString) -> Self {
        Self { status: None, code: code.into(), message: message.to_string(), retry_after: None }
    }
    pub(crate) fn broken(status: u16) -> Self {
        let error = Self::new("broken_answer", "The answer is not one of the account service.");
        Self { status: Some(status), ..error }
    }
    pub(crate) fn unreachable(error: impl fmt::Display) -> Self {
        Self::new("unreachable", format!("The server can't be reached: {error}"))
    }
    /// The error of an answer. OAuth has its message in `error_description`.
    pub(crate) fn of(answer: &Answer) -> Self {
        let (said, status) = (json(answer).unwrap_or_default(), answer.status().as_u16());
        let first = |names: [&str; 2], other: String| names.iter().find_map(|name| text(&said[name])).unwrap_or(other);
        let code = first(["error", "code"], format!("http_{status}"));
        let mut message = first(["message", "error_description"], format!("The server answered {status}."));
        if code == "invalid_api_key" {
            // The server's own message addresses people who create API keys.
            message = "This license key is unknown, expired or revoked; paste the whole key, or sign in again.".into();
        }
        Self { status: Some(status), code, message, retry_after: header(answer, "retry-after").parse().ok() }
    }
    /// True if repeating the call can't help.
    pub(crate) fn is_final(&self) -> bool {
        self.status.is_some_and(|status| status < 429)
    }
}

/// An answer whose body has been read; the body is empty if it was too large.
pub(crate) type Answer = Response<Vec<u8>>;

pub(crate) fn read(response: Response<Body>) -> Result<Answer, Error> {
    let (parts, body) = response.into_parts();
    let mut bytes = Vec::new();
    body.into_reader().take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(Error::unreachable)?;
    bytes.truncate(if bytes.len() as u64 > MOST_BYTES { 0 } else { bytes.len() });
    Ok(Response::from_parts(parts, bytes))
}

/// The JSON object in an answer. serde_json refuses a nesting deeper than 128.
pub(crate) fn json(answer: &Answer) -> Result<Value, Error> {
    let bytes = answer.body();
    let said: Option<Value> = serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok();
    said.filter(Value::is_object).ok_or_else(|| Error::broken(answer.status().as_u16()))
}

pub(crate) fn header<'a, T>(answer: &'a Response<T>, name: &str) -> &'a str {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

pub(crate) fn agent() -> Agent {
    // The system's trusted certificates count, so a company's own authority works.
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    // A key is only sent to the address that the application configured.
    let config = Agent::config_builder().http_status_as_error(false).max_redirects(0).max_redirects_will_error(false);
    config.tls_config(tls).build().into()
}

impl Client {
    /// The deadline of a call that begins now, for all its requests.
    pub(crate) fn end(&self) -> Instant {
        Instant::now() + self.options.timeout.min(Duration::from_secs(86_400))
    }
    pub(crate) fn log(&self, line: impl fmt::Display) {
        if let Some(log) = &self.options.log {
            log(&line.to_string());
        }
    }
    /// A request to the API. An empty key is not sent.
    pub(crate) fn request(&self, method: &str, path: &str, key: &str) -> Builder {
        let request = Request::builder().method(method).uri(self.options.api.clone() + path);
        let bearer = format!("Bearer {key}");
        let language = self.options.language.as_deref().unwrap_or_default();
        let json = if method == "POST" { "application/json" } else { "" };
        let authorization = if key.is_empty() { "" } else { &bearer };
        let all = [("Accept-Language", language), ("Authorization", authorization), ("Content-Type", json)];
        let given = all.into_iter().filter(|(_, value)| !value.is_empty());
        given.fold(request, |request, (name, value)| request.header(name, value))
    }
    /// ureq forgets its timeout while a proxy answers, so a separate thread waits for it.
    fn send_once<B: AsSendBody + Send + 'static>(&self, request: Request<B>, end: Instant) -> Result<Answer, Error> {
        let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let request = self.agent.configure_request(request).timeout_global(Some(left)).build();
        let ((sender, answer), agent) = (sync_channel(1), self.agent.clone());
        let ask = move || drop(sender.send(agent.run(request).map_err(Error::unreachable).and_then(read)));
        thread::Builder::new().spawn(ask).map_err(Error::unreachable)?;
        answer.recv_timeout(left).unwrap_or_else(|_| Err(Error::unreachable("no answer came in time")))
    }
    /// Sends a request up to three times: again after 429, 502, 503, 504 or no answer, once Retry-After, or one and
    /// then two seconds, have passed, if that is before the end of the call.
    pub(crate) fn send(&self, end: Instant, request: Builder, body: String) -> Result<Answer, Error> {
        let request = request.body(body).map_err(Error::unreachable)?;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let started = Instant::now();
            // ureq sends no body with GET, not even an empty one.
            let got = match request.body().is_empty() {
                true => self.send_once(request.clone().map(drop), end),
                false => self.send_once(request.clone(), end),
            };
            let status = got.as_ref().map_or(0, |answer| answer.status().as_u16());
            let answered = if got.is_ok() { status.to_string() } else { "unreachable".into() };
            let (method, path, took) = (request.method(), request.uri().path(), started.elapsed().as_secs_f64());
            self.log(format_args!("{method} {path} {answered} in {took:.2} s"));
            let wait = match &got {
                Ok(_) if (300..400).contains(&status) => return Err(Error::broken(status)),
                Ok(answer) if matches!(status, 429 | 502..=504) => Error::of(answer).retry_after.unwrap_or(attempt),
                Ok(_) => return got,
                Err(_) => attempt,
            };
            let wait = Duration::from_secs(wait);
            if attempt == 3 || wait >= end.saturating_duration_since(Instant::now()) {
                return got;
            }
            (self.options.sleep)(wait);
        }
    }
    /// The answer if its status is 200 to 299, and its error otherwise.
    pub(crate) fn call(&self, end: Instant, request: Builder, body: String) -> Result<Answer, Error> {
        let answer = self.send(end, request, body)?;
        if answer.status().is_success() { Ok(answer) } else { Err(Error::of(&answer)) }
    }
    pub(crate) fn get(&self, end: Instant, path: &str) -> Result<Value, Error> {
        let key = if path.starts_with("/.well-known/") { String::new() } else { self.key()? };
        json(&self.call(end, self.request("GET", path, &key), String::new())?)
    }
}
