use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};
use std::{error, fmt, thread};

use serde::{Deserialize, Serialize};

use crate::{MemoryStore, Store};

/// Receives a line of text.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// Options of a client. [`Options::new`] gives the defaults.
pub struct Options {
    /// The address of the API host, such as `https://api.example.com`.
    pub api: String,
    pub product_id: i64,
    /// An API key or license key. By default, the key of `sign_in` or `activate`.
    pub key: Option<String>,
    pub app_version: Option<String>,
    /// The id of this installation, at most 255 characters. By default, a random one that is remembered.
    pub device_id: Option<String>,
    /// The name under which the buyer sees this device; by default the host's. An empty name is not sent.
    pub device_name: String,
    /// The issuer of the shop's licenses, if it is not `api`.
    pub issuer: Option<String>,
    /// The storage; memory by default.
    pub store: Box<dyn Store>,
    /// Pinned keys: no other key is trusted, and the server's list is not fetched.
    pub keys: Option<Vec<Key>>,
    /// `en` or `ko`, for the server's messages.
    pub language: Option<String>,
    /// The timeout of a call, or of the next piece of a download; 15 seconds by default.
    pub timeout: Duration,
    /// Receives a line for each request and each error of the store; it must not call the client.
    pub log: Option<Log>,
    pub now: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub sleep: Box<dyn Fn(Duration) + Send + Sync>,
}

impl Options {
    pub fn new(api: &str, product_id: i64) -> Self {
        Self {
            api: api.to_owned(),
            product_id,
            key: None,
            app_version: None,
            device_id: None,
            device_name: gethostname::gethostname().to_string_lossy().into_owned(),
            issuer: None,
            store: Box::new(MemoryStore::default()),
            keys: None,
            language: None,
            timeout: Duration::from_secs(15),
            log: None,
            now: Box::new(SystemTime::now),
            sleep: Box::new(thread::sleep),
        }
    }
}

/// Narrows updates and installs.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    pub channel: Option<String>,
    /// This machine's by default.
    pub platform: Option<String>,
    /// The id of a release.
    pub release: Option<i64>,
    /// Cancels an install from another thread.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// A released slot. `released` is true if the device held one; `message` is the server's.
#[derive(Clone, Debug, Serialize)]
pub struct Released {
    pub released: bool,
    pub message: Option<String>,
}

/// The values that the buyer needs in a browser. `expires_in` is in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    pub user_code: String,
    pub verification_uri: String,
    pub verification_uri_complete: String,
    pub expires_in: u64,
}

/// A sign-in that the buyer approved. `replaced_key_prefix` names the key that it replaced, because all were in use.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SignedIn {
    pub device_id: String,
    pub key_prefix: String,
    pub replaced_key_prefix: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Licensed,
    /// The application may run, and a check is overdue.
    Grace,
    /// The trial of this device runs.
    Trial,
    Expired,
    Revoked,
    /// This device has no valid proof of a license.
    Unknown,
}

/// The license of this device. Times are ISO 8601 in UTC.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    pub state: State,
    /// True for `Licensed`, `Grace` and `Trial`.
    pub may_run: bool,
    /// The reason for the state.
    pub code: String,
    /// The server's message for the buyer.
    pub message: Option<String>,
    /// The time until which the application may run without another check.
    pub runs_until: Option<String>,
    pub access_expires_at: Option<String>,
    pub updates_supported_until: Option<String>,
    /// False if the update window does not cover `app_version`; `None` if unknown.
    pub version_covered: Option<bool>,
    /// The edition, if the product has editions; `None` as long as the application may not run.
    pub edition: Option<String>,
    /// The features of the license, sorted; empty as long as the application may not run.
    pub features: Vec<String>,
    /// The shop's own texts about the product, by name; empty as long as the application may not run.
    pub metadata: BTreeMap<String, String>,
    /// The days that are left of the trial, 1 on its last day; `None` outside a trial.
    pub days_left: Option<i64>,
    /// The slot of a floating license that this device holds.
    pub lease_id: Option<String>,
    /// True if `check` should be called as soon as there is a network.
    pub check_due: bool,
    /// True if the clock is behind the time known to have passed.
    pub clock_back: bool,
    /// True if `app_version` is below the policy's minimum version.
    pub update_required: bool,
    /// The page on which the buyer frees a slot; only with `device_limit_reached` and `session_limit_reached`.
    pub manage_url: Option<String>,
    /// The devices in use; only with `device_limit_reached`.
    pub devices: Option<Vec<Device>>,
    /// The sessions that hold all slots, at most 100; only with `session_limit_reached`.
    pub sessions: Option<Vec<Session>>,
    /// The reason why the last call got no answer, or could not remember it.
    pub error: Option<Error>,
}

impl Status {
    /// True if the application may run and the license has this feature.
    pub fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|one| one == feature)
    }
}

/// A session that holds a slot of a floating license. Times are ISO 8601 in UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub device_id: String,
    pub name: Option<String>,
    pub taken_at: String,
    pub renewed_at: String,
    pub expires_at: String,
    /// The end of a borrowed session, which holds its slot until then.
    pub borrowed_until: Option<String>,
}

/// A device that holds a slot. Times are ISO 8601 in UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub device_id: String,
    pub name: Option<String>,
    pub activated_at: String,
    pub last_seen_at: String,
    /// The expiry of an offline file, which holds the slot until then.
    pub offline_until: Option<String>,
    /// The time at which the device was released, if its offline file still holds the slot.
    pub released_at: Option<String>,
}

/// A public Ed25519 key as the service publishes it (RFC 8037).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    pub kty: String,
    pub crv: String,
    pub x: String,
    pub kid: String,
}

/// The reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// The HTTP status; `None` if there was no answer.
    pub status: Option<u16>,
    /// The API's code, or one of the client's own: `no_key`, `not_a_key`, `unreachable`, `broken_answer`,
    /// `not_remembered`, `no_keys`, `wrong_file`, `wrong_sum`, `not_written`, `release_changed`, `cancelled`,
    /// `expired_token`, `http_<status>`.
    pub code: String,
    pub message: String,
    /// In seconds; `None` if the server gave none.
    pub retry_after: Option<u64>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl error::Error for Error {}

/// The file of a release. `size` is in bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub product_id: i64,
    pub version: String,
    pub filename: String,
    pub sha256: String,
    pub size: u64,
    pub download_url: String,
    pub release_id: Option<i64>,
}
