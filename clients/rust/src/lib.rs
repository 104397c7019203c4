//! License checks, also offline, updates and installs for one product of an account service on one device.

mod calls;
mod install;
mod license;
mod store;

use std::env::consts;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json as object};
use ureq::Agent;
use ureq::http::Request;

pub use calls::Error;
use calls::{agent, header, json};

pub use install::Plan;
pub use license::{Blocked, Device, Key, Policy, Rhythm, State, Status};
use license::{Claims, LastAnswer, LastClock, POLICY, TOLERANCE, Trust, is_refusal, payload_of};
use store::random_id;
pub use store::{FileStore, MemoryStore, Store};

/// Options of a client. [`Options::new`] gives the defaults.
pub struct Options {
    /// The address of the API host, such as `https://api.example.com`.
    pub api: String,
    pub product_id: i64,
    /// An API key or license key. Without it, the key of `sign_in` or `activate` counts.
    pub key: Option<String>,
    pub app_version: Option<String>,
    /// The id of this installation, at most 255 characters. Without it, a random one is made and remembered.
    pub device_id: Option<String>,
    /// Where to remember; memory by default.
    pub store: Box<dyn Store>,
    /// Pinned keys: no other key is trusted, and the server's list is not fetched.
    pub keys: Option<Vec<Key>>,
    /// `en` or `ko`, for the server's sentences.
    pub language: Option<String>,
    /// The time that all waits for a repetition may take together; 10 seconds by default.
    pub max_wait: Duration,
    /// The time for an answer, or for the next piece of a download; 15 seconds by default.
    pub timeout: Duration,
    pub now: Box<dyn Fn() -> SystemTime + Send + Sync>,
    pub sleep: Box<dyn Fn(Duration) + Send + Sync>,
}

impl Options {
    pub fn new(api: &str, product_id: i64) -> Self {
        Self {
            api: api.trim_end_matches('/').to_owned(),
            product_id,
            key: None,
            app_version: None,
            device_id: None,
            store: Box::new(MemoryStore::default()),
            keys: None,
            language: None,
            max_wait: Duration::from_secs(10),
            timeout: Duration::from_secs(15),
            now: Box::new(SystemTime::now),
            sleep: Box::new(thread::sleep),
        }
    }
}

/// Narrows updates and installs.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub channel: Option<String>,
    /// This machine's by default.
    pub platform: Option<String>,
    /// The id of a release.
    pub release: Option<i64>,
}

/// A slot that was given back. `released` is true where the device held one; `message` is the server's sentence.
#[derive(Clone, Debug, Serialize)]
pub struct Released {
    pub released: bool,
    pub message: Option<String>,
}

/// What the buyer enters in a browser. `expires_in` is in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Code {
    pub user_code: String,
    pub verification_uri: String,
    pub verification_uri_complete: String,
    pub expires_in: u64,
}

/// A sign-in that the buyer approved. `replaced_key_prefix` names the key that it ended, because all were in use.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SignedIn {
    pub device_id: String,
    pub key_prefix: String,
    pub replaced_key_prefix: Option<String>,
}

/// Checks the license of one product on one device. Threads may share it.
pub struct Client {
    options: Options,
    calls: Agent,
    downloads: Agent,
    checking: Mutex<()>,
}

impl Client {
    pub fn new(options: Options) -> Self {
        let timeout = options.timeout;
        // A download that stalls ends; one that goes on may take as long as it does.
        let (calls, downloads) = (agent(timeout, Some(timeout)), agent(timeout, None));
        Self { options, calls, downloads, checking: Mutex::new(()) }
    }

    /// The license from what is remembered. It uses no network, and never fails.
    pub fn status(&self) -> Status {
        let now = self.now();
        let (kept, trust): (LastAnswer, Trust) = (self.read("answer"), self.read("trust"));
        let before: LastClock = self.read("clock");
        let is_back = before.last.is_some_and(|last| now < last - TOLERANCE);
        let clock = LastClock { last: Some(now), backs: before.backs + u32::from(is_back) };
        // A write for each question would wear the disk; a minute is finer than the clock is judged.
        if before.last.is_none_or(|last| now.abs_diff(last) >= 60) {
            let _ = self.keep("clock", &clock);
        }
        self.judge(kept, &clock, &trust, &self.device_id().unwrap_or_default(), now)
    }

    /// Asks the server, remembers its answer, and gives the status. It takes a device slot if this device has none.
    /// Without an answer, the status is the one from before, with `error`.
    pub fn check(&self) -> Status {
        let _one = self.checking.lock().unwrap_or_else(PoisonError::into_inner);
        self.with_error(self.ask_server())
    }

    /// Remembers a key, and checks. A key that is refused with 401 is not kept.
    pub fn activate(&self, key: &str) -> Status {
        let store = &self.options.store;
        let before = store.get("key").unwrap_or_default();
        if let Err(error) = self.set_key(key.trim(), false) {
            return self.with_error(Err(error.into()));
        }
        let status = self.check();
        if status.error.as_ref().is_some_and(|error| error.status == Some(401)) {
            let _ = store.set("key", before.as_deref());
        }
        status
    }

    /// Gives this device's slot back, and forgets the license. A device that signed in by code is signed out.
    pub fn release(&self) -> Result<Released, Error> {
        let store = &self.options.store;
        let done = if self.key().1 {
            let answer = self.call(&self.request("POST", "/api/cli/device/logout", None)?)?;
            store.set("key", None)?;
            let slots = header(&answer, "x-released-slots").parse().unwrap_or(0);
            Released { released: slots > 0, message: None }
        } else {
            let body = object!({ "device_id": self.device_id()? });
            let request = self.request("POST", &self.product("/license/device/revoke"), Some(body))?;
            let said: Value = json(&self.call(&request)?)?;
            let message = said["message"].as_str().map(String::from);
            Released { released: said["released_device_id"].is_string(), message }
        };
        store.set(&self.name("answer"), None)?;
        Ok(done)
    }

    /// Signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key. It returns
    /// once the buyer has decided or the code has expired. `client_id` is `cli`, `cloud-apps`, or the bundle id of a
    /// published application.
    pub fn sign_in(
        &self, client_id: &str, device_name: Option<&str>, on_code: impl FnOnce(&Code),
    ) -> Result<SignedIn, Error> {
        let resource: Value = self.get("/.well-known/oauth-protected-resource")?;
        let host = resource["authorization_servers"][0].as_str().ok_or_else(|| Error::broken(200))?;
        let post = |path: &str, fields: &[(&str, &str)]| -> Result<Value, Error> {
            let request = Request::post(host.trim_end_matches('/').to_owned() + path);
            let request = request.header("Content-Type", "application/x-www-form-urlencoded");
            json(&self.call(&request.body(form(fields)).map_err(Error::unreachable)?)?)
        };
        let device_id = self.device_id()?;
        let mut asked = vec![("client_id", client_id), ("device_id", &device_id)];
        asked.extend(device_name.map(|name| ("device_name", name)));
        let started = post("/oauth/device_authorization", &asked)?;
        let code = Code::deserialize(&started).map_err(|_| Error::broken(200))?;
        on_code(&code);
        let device_code = started["device_code"].as_str().unwrap_or_default();
        let grant_type = "urn:ietf:params:oauth:grant-type:device_code";
        let grant = [("client_id", client_id), ("device_code", device_code), ("grant_type", grant_type)];
        let (mut left, mut interval) = (code.expires_in, started["interval"].as_u64().unwrap_or(5).max(1));
        while left > 0 {
            (self.options.sleep)(Duration::from_secs(interval));
            match post("/oauth/token", &grant) {
                Ok(granted) => {
                    let signed_in = SignedIn::deserialize(&granted).map_err(|_| Error::broken(200))?;
                    self.options.store.set("device", Some(&signed_in.device_id))?;
                    self.set_key(granted["access_token"].as_str().unwrap_or_default(), true)?;
                    return Ok(signed_in);
                }
                Err(error) if error.code == "slow_down" => interval += 5,
                // The buyer may still be typing, and the network may come back, until the code ends.
                Err(error) if error.is_final() && error.code != "authorization_pending" => return Err(error),
                Err(_) => {}
            }
            left = left.saturating_sub(interval);
        }
        Err(Error { status: Some(400), ..Error::new("expired_token", "The code has expired; sign in again.") })
    }

    /// Fetches the signed policy and remembers it; `None` where the shop signs none.
    pub fn policy(&self) -> Result<Option<Policy>, Error> {
        let said: Value = self.get("/api/client-config")?;
        let Some(signature) = said["signature"].as_str() else {
            return Ok(None);
        };
        let trust: Trust = self.read("trust");
        let (keys, next) = self.verified(&trust, |keys| payload_of::<Policy>(Some(signature), POLICY, keys))?;
        let before: Option<Policy> = payload_of(trust.policy.as_deref(), POLICY, &keys);
        let order = |policy: &Policy| (policy.version, policy.signed_at.clone());
        // A policy of a lower version than one that was seen counts for nothing.
        let is_later = before.as_ref().is_none_or(|before| order(&next) >= order(before));
        let policy = if is_later { Some(signature.to_owned()) } else { trust.policy };
        self.keep("trust", &Trust { policy, keys })?;
        Ok(if is_later { Some(next) } else { before })
    }

    /// The newest release for this device: `ProductUpdateApiData` of the API.
    pub fn updates(&self, wish: &Wish) -> Result<Value, Error> {
        let path = self.product("/updates") + &self.query(wish, self.options.app_version.as_deref());
        self.get::<Value>(&path).map(|mut said| said["update"].take())
    }

    /// The file by which the buyer asks for a license for a machine that never goes online.
    pub fn offline_request(&self) -> Result<String, Error> {
        Ok(self.asked(&self.device_id()?).to_string())
    }

    /// Takes the answer to `offline_request`. The keys must be pinned.
    pub fn activate_offline(&self, file: &str) -> Status {
        self.with_error(self.take_file(file))
    }

    fn take_file(&self, file: &str) -> Result<(), Error> {
        let said: LastAnswer = serde_json::from_str(file).unwrap_or_default();
        let trust = self.read("trust");
        // Keys that came with the file would let anybody sign one.
        let keys = self.keys(&trust);
        let device_id = self.device_id()?;
        if keys.is_empty() {
            let message = "Without a network, the application must bring the keys of its shop.";
            return Err(Error::new("no_keys", message));
        }
        if Claims::of(said.token.as_deref(), keys, self.options.product_id, &device_id).is_none() {
            return Err(Error::new("wrong_file", "The file is no answer to a request of this device."));
        }
        self.remember(LastAnswer { refusal: None, ..said })
    }

    fn with_error(&self, done: Result<(), Error>) -> Status {
        Status { error: done.err(), ..self.status() }
    }

    fn asked(&self, device_id: &str) -> Value {
        let mut body = object!({ "product_id": self.options.product_id, "device_id": device_id });
        if let Some(version) = &self.options.app_version {
            body["app_version"] = object!(version);
        }
        body
    }

    fn ask_server(&self) -> Result<(), Error> {
        let (product_id, device_id) = (self.options.product_id, self.device_id()?);
        let answer = self.send(&self.request("POST", "/api/license/check", Some(self.asked(&device_id)))?)?;
        let status = answer.status().as_u16();
        if status != 200 && status != 409 {
            return Err(Error::of(&answer));
        }
        let said: Value = json(&answer)?;
        let is_refusal = is_refusal(status, &said, product_id).ok_or_else(|| Error::broken(status))?;
        let text = |name: &str| said[name].as_str().map(String::from);
        let (token, checked_at) = (text("token").filter(|_| !is_refusal), text("checked_at"));
        if token.is_some() {
            let trust: Trust = self.read("trust");
            let reads = |keys: &[Key]| Claims::of(token.as_deref(), keys, product_id, &device_id);
            let (keys, _) = self.verified(&trust, reads)?;
            self.keep("trust", &Trust { keys, ..trust })?;
        }
        let refusal = Some(said).filter(|_| is_refusal);
        self.remember(LastAnswer { token, refusal, checked_at, ..LastAnswer::default() })?;
        let _ = self.policy();
        Ok(())
    }

    fn remember(&self, next: LastAnswer) -> Result<(), Error> {
        let now = self.now();
        let next = LastAnswer { app_version: self.options.app_version.clone(), ..next };
        self.keep("answer", &next.after(self.read("answer"), now))?;
        Ok(self.keep("clock", &LastClock { last: Some(now), backs: 0 })?)
    }

    fn keys<'a>(&'a self, trust: &'a Trust) -> &'a [Key] {
        self.options.keys.as_deref().unwrap_or(&trust.keys)
    }

    /// What a signed text says, and the keys by which it reads: those that are remembered, or the server's where they
    /// don't do. Pinned keys stand alone.
    fn verified<T>(&self, trust: &Trust, reads: impl Fn(&[Key]) -> Option<T>) -> Result<(Vec<Key>, T), Error> {
        let known = self.keys(trust);
        if let Some(said) = reads(known) {
            return Ok((known.to_vec(), said));
        }
        if self.options.keys.is_some() {
            return Err(Error::broken(200));
        }
        let Trust { keys, .. } = self.get("/.well-known/jwks.json")?;
        let said = reads(&keys).ok_or_else(|| Error::broken(200))?;
        Ok((keys, said))
    }

    fn query(&self, wish: &Wish, version: Option<&str>) -> String {
        let processors = [("x86_64", "amd64"), ("aarch64", "arm64")];
        let system = if consts::OS == "macos" { "darwin" } else { consts::OS };
        let here =
            processors.iter().find(|(arch, _)| *arch == consts::ARCH).map(|(_, name)| format!("{system}-{name}"));
        let release = wish.release.map(|id| id.to_string());
        let all = [
            ("channel", wish.channel.as_deref()),
            ("platform", wish.platform.as_deref().or(here.as_deref())),
            ("version", version),
            ("release", release.as_deref()),
        ];
        let given: Vec<_> = all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        format!("?{}", form(&given))
    }

    fn product(&self, path: &str) -> String {
        format!("/api/products/{}{path}", self.options.product_id)
    }

    fn request(&self, method: &str, path: &str, body: Option<Value>) -> Result<Request<String>, Error> {
        let mut request = Request::builder().method(method).uri(self.options.api.clone() + path);
        if let Some(language) = &self.options.language {
            request = request.header("Accept-Language", language);
        }
        if !path.starts_with("/.well-known/") {
            let (key, _) = self.key();
            if key.is_empty() {
                let message = "This device has no key; sign in, or activate it with a license key.";
                return Err(Error::new("no_key", message));
            }
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        if body.is_some() {
            request = request.header("Content-Type", "application/json");
        }
        request.body(body.map_or_else(String::new, |body| body.to_string())).map_err(Error::unreachable)
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        json(&self.call(&self.request("GET", path, None)?)?)
    }

    /// Seconds since 1970.
    fn now(&self) -> i64 {
        let since = (self.options.now)().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_secs() as i64
    }

    /// The key, and true where it is that of a sign-in.
    fn key(&self) -> (String, bool) {
        let kept: Value = parsed(self.options.store.get("key"));
        match &self.options.key {
            Some(key) => (key.clone(), false),
            None => (kept["key"].as_str().unwrap_or_default().into(), kept["signed_in"] == true),
        }
    }

    fn set_key(&self, key: &str, signed_in: bool) -> io::Result<()> {
        let text = object!({ "key": key, "signed_in": signed_in }).to_string();
        self.options.store.set("key", Some(&text))
    }

    fn device_id(&self) -> io::Result<String> {
        if let Some(id) = &self.options.device_id {
            return Ok(id.clone());
        }
        // A store that can't be read is an error: another id would take another slot.
        if let Some(kept) = self.options.store.get("device")? {
            return Ok(kept);
        }
        let made = random_id();
        self.options.store.set("device", Some(&made))?;
        Ok(made)
    }

    fn name(&self, of: &str) -> String {
        format!("{of}-{}", self.options.product_id)
    }

    fn read<T: DeserializeOwned + Default>(&self, of: &str) -> T {
        parsed(self.options.store.get(&self.name(of)))
    }

    fn keep(&self, of: &str, value: &impl Serialize) -> io::Result<()> {
        self.options.store.set(&self.name(of), Some(&serde_json::to_string(value)?))
    }
}

/// A text that nobody can read is as if nothing were remembered.
fn parsed<T: DeserializeOwned + Default>(kept: io::Result<Option<String>>) -> T {
    serde_json::from_str(&kept.ok().flatten().unwrap_or_default()).unwrap_or_default()
}

fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}
