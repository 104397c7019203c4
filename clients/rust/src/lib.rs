//! License checks, also offline, updates and installs for one product of an account service on one device.

mod calls;
mod install;
mod lease;
mod license;
mod store;
mod types;

use std::env::consts;
use std::sync::Mutex;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant, UNIX_EPOCH};

use ring::rand;
use serde::Deserialize;
use serde_json::{Value, json as object};
use ureq::Agent;
use ureq::http::Request;

use calls::{Answer, agent, header, json};
use lease::{CHECK, LEASE};
pub use license::keys;
use license::{Trust, is_refusal, keys_of, policy_of, text};
pub use store::{FileStore, MemoryStore, Store};
use store::{Unsaved, lock};
pub use types::{Choice, Code, Device, Error, Key, Log, Options, Plan, Released, Session, SignedIn, State, Status};

/// Checks the license of one product on one device. Threads may share it.
pub struct Client {
    options: Options,
    agent: Agent,
    unsaved: Unsaved,
    /// The outcome of the last check, for those who wait for it; `None` if none has ended since the last activation.
    checking: Mutex<Option<Result<(), Error>>>,
    /// The stored clock, and since when.
    since: Mutex<(Option<(i64, i64)>, Instant)>,
    /// The lease that this client took, with the `answer` to remember; null if there is none.
    held: Mutex<Value>,
    /// Ends the renewal in the background when it is dropped.
    stop: Mutex<Option<Sender<()>>>,
}

/// The server's answer to a check, a trial or a lease.
struct Said {
    body: Value,
    /// The error of a refusal.
    refused: Option<Error>,
    trust: Trust,
    claims: Value,
    nonce: String,
}

impl Client {
    pub fn new(mut options: Options) -> Self {
        options.api.truncate(options.api.trim_end_matches('/').len());
        let since = Mutex::new((None, Instant::now()));
        let (unsaved, checking) = (Unsaved::default(), Mutex::default());
        let (held, stop) = (Mutex::default(), Mutex::default());
        Self { options, agent: agent(), unsaved, checking, since, held, stop }
    }
    /// Returns the remembered license. It uses no network, and never fails.
    pub fn status(&self) -> Status {
        let kept = self.kept_device();
        let (error, kept) = (kept.as_ref().err().cloned(), kept.ok().flatten());
        Status { error, ..self.judge(&kept.or_else(|| self.license_device()).unwrap_or_default()) }
    }
    /// Asks the server, remembers its answer, and returns the status. It takes a slot if this device has none. Without
    /// an answer, the status is the previous one, with `error`.
    pub fn check(&self) -> Status {
        // A check that another thread has started answers this one too.
        let (end, waits) = (self.end(), self.checking.try_lock().is_err());
        let mut last = lock(&self.checking);
        let done = last.take().filter(|_| waits).unwrap_or_else(|| self.ask_server(end, None));
        *last = Some(done.clone());
        self.with_error(done)
    }
    /// Checks with a key, and stores it if the server accepts it. A refused key ends no license.
    pub fn activate(&self, key: &str) -> Status {
        let end = self.end();
        let mut last = lock(&self.checking);
        *last = None;
        self.with_error(self.take_key(end, key))
    }
    /// Releases this device's slot, unless it is borrowed, and forgets the license. A device that signed in by code is
    /// signed out.
    pub fn release(&self) -> Result<Released, Error> {
        let (end, _one, key) = (self.end(), lock(&self.checking), self.key()?);
        let is_signed_in = self.options.key.is_none() && self.kept_key()["signed_in"] == true;
        let mut released = false;
        if let Some(lease_id) = self.lease_id(&self.status()) {
            *lock(&self.stop) = None;
            released = self.give_back(end, &lease_id)?;
            // A borrowed slot stays taken, so its token is kept.
            if !is_signed_in {
                return self.fault().map_or(Ok(Released { released, message: None }), Err);
            }
        }
        let done = if is_signed_in {
            let answer = self.call(end, self.request("POST", "/api/cli/device/logout", &key), String::new())?;
            self.remember("key", None);
            let slots = header(&answer, "x-released-slots").parse().unwrap_or(0);
            Released { released: released || slots > 0, message: None }
        } else {
            let request = self.request("POST", &self.product("/license/device/revoke"), &key);
            let said = json(&self.call(end, request, object!({ "device_id": self.device_id()? }).to_string())?)?;
            Released { released: said["released_device_id"].is_string(), message: text(&said["message"]) }
        };
        self.keep("answer", &Value::Null);
        self.fault().map_or(Ok(done), Err)
    }
    /// Signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key. It returns
    /// once the buyer has decided, the code has expired, or `is_cancelled` is true, which is called ten times a second.
    /// `client_id` is `cli`, `cloud-apps`, or the bundle id of a published application.
    pub fn sign_in(
        &self, client_id: &str, device_name: Option<&str>, is_cancelled: impl Fn() -> bool, on_code: impl FnOnce(&Code),
    ) -> Result<SignedIn, Error> {
        let resource = self.get(self.end(), "/.well-known/oauth-protected-resource")?;
        let host = resource["authorization_servers"][0].as_str().ok_or_else(|| Error::broken(200))?;
        let post = |path: &str, fields: &[(&str, &str)]| -> Result<Value, Error> {
            let request = Request::post(host.trim_end_matches('/').to_owned() + path);
            let request = request.header("Content-Type", "application/x-www-form-urlencoded");
            json(&self.call(self.end(), request, form(fields))?)
        };
        let (device_id, name) = (self.device_id()?, device_name.unwrap_or(&self.options.device_name));
        let asked = [("client_id", client_id), ("device_id", &device_id), ("device_name", name)];
        let started = post("/oauth/device_authorization", &asked)?;
        let code = Code::deserialize(&started).map_err(|_| Error::broken(200))?;
        on_code(&code);
        let device_code = started["device_code"].as_str().unwrap_or_default();
        let grant_type = "urn:ietf:params:oauth:grant-type:device_code";
        let grant = [("client_id", client_id), ("device_code", device_code), ("grant_type", grant_type)];
        let (mut left, mut interval) = (code.expires_in.min(3600), started["interval"].as_u64().unwrap_or(5).max(1));
        while left > 0 {
            self.pause(Duration::from_secs(interval.min(left)), &is_cancelled)?;
            match post("/oauth/token", &grant) {
                Ok(granted) => {
                    let signed_in = SignedIn::deserialize(&granted).map_err(|_| Error::broken(200))?;
                    let _one = lock(&self.checking);
                    self.remember("device", Some(&signed_in.device_id));
                    self.set_key(&granted["access_token"], true);
                    return Ok(signed_in);
                }
                Err(error) if error.code == "slow_down" => interval = interval.saturating_add(5),
                // Until the code expires, the buyer may still be typing, and the network may return.
                Err(error) if error.is_final() && error.code != "authorization_pending" => return Err(error),
                Err(_) => {}
            }
            left = left.saturating_sub(interval);
        }
        Err(Error { status: Some(400), ..Error::new("expired_token", "The code has expired; sign in again.") })
    }
    /// Fetches the signed policy and remembers it: `ClientConfig` of the API, or `None` if the shop signs none.
    pub fn policy(&self) -> Result<Option<Value>, Error> {
        self.fetch_policy(self.end())
    }
    fn fetch_policy(&self, end: Instant) -> Result<Option<Value>, Error> {
        let Some(signature) = text(&self.get(end, "/api/client-config")?["signature"]) else { return Ok(None) };
        let mut trust = self.trust();
        let next = self.verified(end, &mut trust, |keys| policy_of(Some(&signature), keys))?;
        let before = policy_of(trust.policy.as_deref(), &trust.keys);
        let order = |policy: &Value| (policy["version"].as_i64(), text(&policy["signed_at"]));
        // A policy with a lower version than a known one is ignored.
        let later = before.filter(|before| order(&next) < order(before));
        trust.policy = if later.is_none() { Some(signature) } else { trust.policy };
        self.keep("trust", &object!(trust));
        Ok(later.or(Some(next)))
    }
    /// The newest release for this device: `ProductUpdateApiData` of the API.
    pub fn updates(&self, choice: &Choice) -> Result<Value, Error> {
        let path = self.product("/updates") + &self.query(choice, self.options.app_version.as_deref());
        self.get(self.end(), &path).map(|mut said| said["update"].take())
    }
    /// The file with which the buyer requests a license for a machine that never goes online.
    pub fn offline_request(&self) -> Result<String, Error> {
        let mut request = self.asked(&self.device_id()?);
        request["perpetual"] = object!(true);
        Ok(request.to_string())
    }
    /// Reads the answer to `offline_request`. The keys must be pinned.
    pub fn activate_offline(&self, file: &str) -> Status {
        let _one = lock(&self.checking);
        self.with_error(self.take_file(file))
    }
    fn take_file(&self, file: &str) -> Result<(), Error> {
        let said: Value = serde_json::from_str(file.trim_start_matches('\u{feff}')).unwrap_or_default();
        // If the file's own keys counted, anybody could sign one.
        let keys = self.trust().keys;
        if keys.is_empty() {
            return Err(Error::new("no_keys", "Without a network, the application must bring the keys of its shop."));
        }
        let claims = self.claims(said["token"].as_str(), &keys).unwrap_or_default();
        if claims["device_id"] != self.device_id()? {
            return Err(Error::new("wrong_file", "The file is no answer to a request of this device."));
        }
        self.keep_answer(object!({ "token": said["token"] }));
        // The file takes the place of a lease, whose renewal would take a slot again.
        *lock(&self.stop) = None;
        *lock(&self.held) = Value::Null;
        Ok(())
    }
    fn take_key(&self, end: Instant, pasted: &str) -> Result<(), Error> {
        let is_shared = self.read("answer")["refusal"]["code"] == "device_shared";
        let key = if pasted.is_empty() && is_shared { self.key()? } else { cleaned(pasted)? };
        if is_shared {
            // Another machine has this id too; an activation gives this machine its own.
            self.remember("device", Some(&random_id()));
            self.keep("answer", &Value::Null);
        }
        self.ask_server(end, Some(key))
    }
    fn with_error(&self, done: Result<(), Error>) -> Status {
        let status = self.status();
        let fault = self.fault().or(status.error);
        let error = done.err().filter(|error| error.code != "no_key" || fault.is_none()).or(fault);
        Status { error, ..status }
    }
    fn asked(&self, device_id: &str) -> Value {
        let mut body = object!({ "product_id": self.options.product_id, "device_id": device_id });
        if let Some(version) = &self.options.app_version {
            body["app_version"] = object!(version);
        }
        body
    }
    /// Asks with a pasted key; without one, renews the lease or the trial if there is one.
    fn ask_server(&self, end: Instant, pasted: Option<String>) -> Result<(), Error> {
        self.device_id()?;
        let before = self.status();
        let is_trial = pasted.is_none() && (before.state == State::Trial || before.code == "trial_ended");
        if pasted.is_none() && self.lease_id(&before).is_some() {
            return self.renew(end, None);
        }
        let key = match pasted.clone().map_or_else(|| self.key(), Ok) {
            Err(error) if is_trial && error.code == "no_key" => return self.ask_trial(end),
            key => key?,
        };
        let said = self.ask(end, &key, CHECK, object!({}))?;
        if is_trial && said.refused.is_some() && said.body["code"] == "not_entitled" {
            return self.ask_trial(end);
        }
        let kept = self.key();
        match (&pasted, &said.refused) {
            (_, Some(error)) if (pasted.is_some() || is_trial) && self.status().may_run => return Err(error.clone()),
            (Some(key), _) if kept.as_ref() != Ok(key) => self.set_key(&object!(key), false),
            // The answer belongs to the key that asked.
            (None, _) if kept != Ok(key) => return Ok(()),
            _ => {}
        }
        self.take(said);
        self.fetch_policy(end).map(drop).or(Ok(()))
    }
    /// Asks the server with a key, which is empty for a trial, and reads its answer. `more` are members of the body.
    fn ask(&self, end: Instant, key: &str, path: &str, more: Value) -> Result<Said, Error> {
        let (device_id, nonce) = (self.device_id()?, random_id().split_off(10));
        let mut body = self.asked(&device_id);
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        body["nonce"] = object!(nonce);
        if path == CHECK {
            // Earlier clients refuse a token without an end, so the server must know.
            body["perpetual"] = object!(true);
            // A value that the store failed to save would make two processes with one folder look like two machines.
            if let Some(value) = text(&self.read("answer")["continuation"]).filter(|_| self.is_saved("answer")) {
                body["continuation"] = object!(value);
            }
        }
        if !self.options.device_name.is_empty() {
            body["device_name"] = object!(self.options.device_name.chars().take(100).collect::<String>());
        }
        if let Some(here) = this_platform() {
            body["platform"] = object!(here);
        }
        let answer = self.send(end, self.request("POST", path, key), body.to_string())?;
        let status = answer.status().as_u16();
        if status != 200 && status != 409 {
            return Err(Error::of(&answer));
        }
        let said = json(&answer)?;
        // A floating license has its token by a lease.
        if path == CHECK && said["valid"] == true && said.get("token") == Some(&Value::Null) {
            return self.ask(end, key, LEASE, object!({}));
        }
        let untrusted = |answer: &Answer| if status == 409 { Error::of(answer) } else { Error::broken(status) };
        let is_refusal = is_refusal(status, &said, self.options.product_id).ok_or_else(|| untrusted(&answer))?;
        let (mut trust, mut claims) = (self.trust(), Value::Null);
        if !is_refusal {
            let is_ours = |claims: &Value| claims["device_id"] == device_id;
            let reads = |keys: &[Key]| self.claims(said["token"].as_str(), keys).filter(is_ours);
            claims = self.verified(end, &mut trust, reads)?;
        }
        Ok(Said { refused: is_refusal.then(|| Error::of(&answer)), body: said, trust, claims, nonce })
    }
    /// Remembers an answer, and its time if it is the answer to this request.
    fn take(&self, Said { body, refused, trust, claims, nonce }: Said) {
        self.keep("trust", &object!(trust));
        let (what, told) = if refused.is_some() { ("refusal", &body) } else { ("token", &body["token"]) };
        let answer = self.keep_answer(object!({ what: told, "continuation": body["continuation"] }));
        let mut lease = body["lease"].clone();
        if refused.is_none() && lease["lease_id"].is_string() {
            lease["answer"] = answer;
            *lock(&self.held) = lease;
        } else {
            *lock(&self.held) = Value::Null;
        }
        // The answer to this very request sets the time, even backwards.
        if let (Some(issued), true) = (claims["iat"].as_i64(), claims["nonce"] == nonce) {
            self.keep_clock(issued, self.now());
        }
    }
    fn keep_answer(&self, mut answer: Value) -> Value {
        answer["app_version"] = object!(self.options.app_version);
        self.keep("answer", &answer);
        answer
    }
    /// The remembered answer. If another process gave the shared lease back, this one runs to its end, and takes a slot
    /// again when it renews.
    fn answer(&self) -> Value {
        let (kept, held) = (self.read("answer"), lock(&self.held));
        let is_gone = kept["token"].is_null() && kept["refusal"].is_null() && !held.is_null();
        if is_gone { held["answer"].clone() } else { kept }
    }
    fn trust(&self) -> Trust {
        let kept = self.read("trust");
        let keys = self.options.keys.clone().unwrap_or_else(|| keys_of(&kept["keys"]));
        Trust { policy: text(&kept["policy"]), keys }
    }
    /// The claims of a signed text, verified by the trusted keys, or by the server's if those do not verify it. Pinned
    /// keys exclude all others.
    fn verified(
        &self, end: Instant, trust: &mut Trust, reads: impl Fn(&[Key]) -> Option<Value>,
    ) -> Result<Value, Error> {
        if reads(&trust.keys).is_none() && self.options.keys.is_none() {
            trust.keys = keys_of(&self.get(end, "/.well-known/jwks.json")?["keys"]);
        }
        reads(&trust.keys).ok_or_else(|| Error::broken(200))
    }
    fn query(&self, choice: &Choice, version: Option<&str>) -> String {
        let here = this_platform();
        let (platform, release) =
            (choice.platform.as_deref().or(here.as_deref()), choice.release.map(|id| id.to_string()));
        let (channel, release) = (choice.channel.as_deref(), release.as_deref());
        let all = [("channel", channel), ("platform", platform), ("version", version), ("release", release)];
        format!("?{}", form(&all.map(|(name, value)| (name, value.unwrap_or_default()))))
    }
    fn product(&self, path: &str) -> String {
        format!("/api/products/{}{path}", self.options.product_id)
    }
    /// Seconds since 1970, before the year 10000.
    fn now(&self) -> i64 {
        let since = (self.options.now)().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_secs().min(253_402_300_799) as i64
    }
    fn kept_key(&self) -> Value {
        serde_json::from_str(&self.recall("key").ok().flatten().unwrap_or_default()).unwrap_or_default()
    }
    fn key(&self) -> Result<String, Error> {
        let key = self.options.key.clone().or_else(|| text(&self.kept_key()["key"])).unwrap_or_default();
        let message = "This device has no license key; paste it, or sign in.";
        if key.is_empty() { Err(Error::new("no_key", message)) } else { cleaned(&key) }
    }
    fn set_key(&self, key: &Value, signed_in: bool) {
        self.remember("key", Some(&object!({ "key": key, "signed_in": signed_in }).to_string()));
    }
    /// The stored id of this device, if any.
    fn kept_device(&self) -> Result<Option<String>, Error> {
        if self.options.device_id.is_some() {
            return Ok(self.options.device_id.clone());
        }
        let kept = [self.recall("device")?, self.recall("device-2")?];
        Ok(kept.iter().flatten().find_map(|kept| id_of(kept)))
    }
    /// The id of this device in its license, for a missing or damaged file.
    fn license_device(&self) -> Option<String> {
        text(&self.claims(self.answer()["token"].as_str(), &self.trust().keys)?["device_id"])
    }
    fn device_id(&self) -> Result<String, Error> {
        let (kept, known) = (|| self.kept_device().ok().flatten(), self.license_device());
        let mut fault = Error::new("not_remembered", "The license can't be kept: the store forgets it.");
        // One of several processes and threads creates the id.
        for name in ["device", "device-2"] {
            if kept().is_none() {
                fault = self.create(name, &known.clone().unwrap_or_else(random_id)).err().unwrap_or(fault);
            }
        }
        kept().or(known).ok_or(fault)
    }
}

/// A stored device id; `None` for a damaged one.
fn id_of(kept: &str) -> Option<String> {
    let id = kept.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    let is_sound = (1..=255).contains(&id.chars().count()) && !id.contains(|c: char| c.is_control() || c == '\u{fffd}');
    is_sound.then(|| id.to_owned())
}

/// A key without the characters that mails and clipboards insert into and around it.
fn cleaned(pasted: &str) -> Result<String, Error> {
    let is_unseen = |c| {
        "\u{ad}\u{180e}\u{feff}".contains(c)
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}')
    };
    let text = pasted.replace(|c: char| c.is_whitespace() || is_unseen(c), "");
    let key = text.trim_matches(|c| "'\"`<>«»‹›‘’‚‛“”„‟「」『』＂＇".contains(c));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "._~+/=-".contains(c);
    let is_key = (8..=255).contains(&key.len()) && key.chars().all(is_sign);
    let message = "This is not a license key; paste the whole key, and nothing else.";
    if is_key { Ok(key.to_owned()) } else { Err(Error::new("not_a_key", message)) }
}

fn random_id() -> String {
    let bits = rand::generate(&rand::SystemRandom::new()).expect("the system has random numbers").expose();
    format!("{:032x}", u128::from_be_bytes(bits))
}

/// This machine's platform in the service's terms.
fn this_platform() -> Option<String> {
    let system = if consts::OS == "macos" { "darwin" } else { consts::OS };
    let processor = [("x86_64", "amd64"), ("aarch64", "arm64")].into_iter().find(|(arch, _)| *arch == consts::ARCH);
    processor.map(|(_, name)| format!("{system}-{name}"))
}

/// The fields that have a value, for a form or a query.
fn form(fields: &[(&str, &str)]) -> String {
    let given = fields.iter().filter(|(_, value)| !value.is_empty());
    form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish()
}
