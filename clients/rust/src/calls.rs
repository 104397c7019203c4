use std::fmt;
use std::io::{self, Read};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};

use crate::Client;

/// The most bytes of an answer that is no download.
const MOST_BYTES: u64 = 8 << 20;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// The HTTP status; `None` where no answer came.
    pub status: Option<u16>,
    /// The API's code, or one of the client's own: `no_key`, `unreachable`, `broken_answer`, `not_remembered`,
    /// `no_keys`, `wrong_file`, `wrong_sum`, `not_written`, `release_changed`, `expired_token`, `http_<status>`.
    pub code: String,
    pub message: String,
    /// Seconds; `None` where the server said none.
    pub retry_after: Option<u64>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// A store that can't be read or written.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new("not_remembered", error)
    }
}

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

    /// The error of an answer. OAuth has its sentence in `error_description`.
    pub(crate) fn of(answer: &Answer) -> Self {
        let said: Value = json(answer).unwrap_or_default();
        let text = |names: [&str; 2]| names.iter().find_map(|name| said[name].as_str()).map(String::from);
        let status = answer.status().as_u16();
        Self {
            status: Some(status),
            code: text(["error", "code"]).unwrap_or_else(|| format!("http_{status}")),
            message: text(["message", "error_description"]).unwrap_or_else(|| format!("The server answered {status}.")),
            retry_after: retry_after(answer),
        }
    }

    /// True where a repetition of the same call can't do better.
    pub(crate) fn is_final(&self) -> bool {
        self.status.is_some_and(|status| status < 429)
    }
}

/// An answer of which the body has been read.
pub(crate) type Answer = Response<Vec<u8>>;

pub(crate) fn read(response: Response<Body>, most: u64) -> Result<Answer, Error> {
    let (parts, body) = response.into_parts();
    let mut bytes = Vec::new();
    body.into_reader().take(most).read_to_end(&mut bytes).map_err(Error::unreachable)?;
    Ok(Response::from_parts(parts, bytes))
}

pub(crate) fn json<T: DeserializeOwned>(answer: &Answer) -> Result<T, Error> {
    serde_json::from_slice(answer.body()).map_err(|_| Error::broken(answer.status().as_u16()))
}

pub(crate) fn header<'a, T>(answer: &'a Response<T>, name: &str) -> &'a str {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn retry_after(answer: &Answer) -> Option<u64> {
    header(answer, "retry-after").parse().ok()
}

/// An agent whose answers, with their bodies, take no longer than `whole`.
pub(crate) fn agent(timeout: Duration, whole: Option<Duration>) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // A key is sent nowhere but where the application said.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(timeout))
        .timeout_recv_response(Some(timeout))
        .timeout_per_read(Some(timeout))
        .timeout_global(whole);
    config.build().into()
}

pub(crate) fn open(agent: &Agent, request: &Request<String>) -> Result<Response<Body>, Error> {
    let (parts, body) = request.clone().into_parts();
    // ureq sends no body with GET, not even an empty one.
    let opened = match body.as_str() {
        "" => agent.run(Request::from_parts(parts, ())),
        text => agent.run(Request::from_parts(parts, text)),
    };
    opened.map_err(Error::unreachable)
}

impl Client {
    /// Sends a request up to three times: again after 429, 502, 503, 504 and where no answer comes, once Retry-After
    /// has passed, or one and two seconds. It waits at most `max_wait` in all.
    pub(crate) fn send(&self, request: &Request<String>) -> Result<Answer, Error> {
        let (mut left, mut attempt) = (self.options.max_wait, 0);
        loop {
            attempt += 1;
            let got = open(&self.calls, request).and_then(|response| read(response, MOST_BYTES));
            let wait = Duration::from_secs(match &got {
                Ok(answer) if !matches!(answer.status().as_u16(), 429 | 502..=504) => return got,
                Ok(answer) => retry_after(answer).unwrap_or(attempt),
                Err(_) => attempt,
            });
            if attempt == 3 || wait > left {
                return got;
            }
            left -= wait;
            (self.options.sleep)(wait);
        }
    }

    /// The answer where its status is 200 to 299, and its error otherwise.
    pub(crate) fn call(&self, request: &Request<String>) -> Result<Answer, Error> {
        let answer = self.send(request)?;
        if answer.status().is_success() { Ok(answer) } else { Err(Error::of(&answer)) }
    }
}
