use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Client;

/// Seconds by which clocks may differ before anything is said.
pub(crate) const TOLERANCE: i64 = 600;

/// The `typ` of a signed policy.
pub(crate) const POLICY: &str = "client-policy+jws";

/// Hours between two checks where the shop signs no policy.
const RECHECK_HOURS: f64 = 24.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Licensed,
    /// The application may run, and a check is overdue.
    Grace,
    Expired,
    Revoked,
    /// This device has no license that can be shown.
    Unknown,
}

/// The license of this device. Times are ISO 8601 in UTC.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    pub state: State,
    /// True for `Licensed` and `Grace`.
    pub may_run: bool,
    /// Why the state is what it is.
    pub code: String,
    /// The server's sentence for the buyer.
    pub message: Option<String>,
    /// Until then the application may run without a further check.
    pub runs_until: Option<String>,
    pub access_expires_at: Option<String>,
    pub updates_supported_until: Option<String>,
    /// False where the update window does not cover `app_version`; `None` where nobody knows.
    pub version_covered: Option<bool>,
    /// True where `check` should be called as soon as there is a network.
    pub check_due: bool,
    /// True where the clock was set back since the last check, or is behind the server's.
    pub clock_back: bool,
    /// True where the policy's lowest version is above `app_version`.
    pub update_required: bool,
    /// The page on which the buyer releases a device; only with `device_limit_reached`.
    pub manage_url: Option<String>,
    /// The devices in use; only with `device_limit_reached`.
    pub devices: Option<Vec<Device>>,
    /// Why the last call got no answer to remember; the status is then the one from before.
    pub error: Option<crate::Error>,
}

/// A device that holds a slot. Times are ISO 8601 in UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub device_id: String,
    pub name: Option<String>,
    pub activated_at: String,
    pub last_seen_at: String,
    /// The end of an offline file, which holds the slot until then.
    pub offline_until: Option<String>,
    /// The release of a device whose offline file holds its slot.
    pub released_at: Option<String>,
}

/// A public Ed25519 key as the service publishes it (RFC 8037).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Key {
    pub kty: String,
    pub crv: String,
    pub x: String,
    pub kid: String,
}

/// The signed rules for clients. `signed_at` is ISO 8601 in UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    pub min_client_version: String,
    pub revoked: Vec<Blocked>,
    pub policy: Rhythm,
    pub signed_at: String,
    pub version: i64,
}

/// A device that the policy blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blocked {
    pub product_id: i64,
    pub device_id: String,
}

/// How long a token counts, and how often a client asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rhythm {
    pub ttl_days: f64,
    pub recheck_hours: f64,
}

/// The last answer of the server. `checked_at` is its time, `ahead` the seconds by which the clock was ahead.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LastAnswer {
    pub token: Option<String>,
    pub refusal: Option<Value>,
    pub checked_at: Option<String>,
    pub app_version: Option<String>,
    pub ahead: i64,
}

/// The clock as it was read last (seconds), and how often it was set back since the last answer.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LastClock {
    pub last: Option<i64>,
    pub backs: u32,
}

/// The policy as a compact JWS, and the keys of the shop.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Trust {
    pub policy: Option<String>,
    pub keys: Vec<Key>,
}

#[derive(Clone, Default, Deserialize)]
pub(crate) struct Claims {
    valid: bool,
    product_id: i64,
    device_id: String,
    iat: f64,
    exp: f64,
    access_expires_at: Option<String>,
    updates_supported_until: Option<String>,
    version_covered: Option<bool>,
    #[serde(default)]
    offline: bool,
}

impl Claims {
    /// The claims of a license token for this product and device; `None` for any other text.
    pub fn of(token: Option<&str>, keys: &[Key], product_id: i64, device_id: &str) -> Option<Self> {
        let said: Self = payload_of(token, "license+jws", keys)?;
        (said.valid && said.product_id == product_id && said.device_id == device_id).then_some(said)
    }
}

/// Seconds since 1970; 0 for no ISO text.
fn seconds(iso: Option<&str>) -> i64 {
    iso.and_then(|text| text.parse::<Timestamp>().ok()).map_or(0, Timestamp::as_second)
}

pub(crate) fn iso(at: i64) -> Option<String> {
    Timestamp::from_second(at).ok().map(|time| format!("{time:.3}"))
}

/// The payload of a compact JWS of this `typ` that one of the keys signed with Ed25519; `None` otherwise.
pub(crate) fn payload_of<T: DeserializeOwned>(jws: Option<&str>, typ: &str, keys: &[Key]) -> Option<T> {
    let bytes_of = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).ok();
    let (signed, signature) = jws?.rsplit_once('.')?;
    let (head, body) = signed.split_once('.')?;
    let header: Value = serde_json::from_slice(&bytes_of(head)?).ok()?;
    if header["alg"] != "EdDSA" || header["typ"] != typ || !header["crit"].is_null() {
        return None;
    }
    let is_named = |key: &&Key| header["kid"] == *key.kid && key.kty == "OKP" && key.crv == "Ed25519";
    let key = keys.iter().find(is_named)?;
    let public = UnparsedPublicKey::new(&ED25519, bytes_of(&key.x)?);
    public.verify(signed.as_bytes(), &bytes_of(signature)?).ok()?;
    serde_json::from_slice(&bytes_of(body)?).ok()
}

fn state_of(code: &str) -> Option<State> {
    match code {
        "access_expired" => Some(State::Expired),
        "entitlement_revoked" | "device_revoked" => Some(State::Revoked),
        "not_entitled" | "device_limit_reached" => Some(State::Unknown),
        _ => None,
    }
}

/// True for a refusal, false for a valid license with a token; `None` for an answer that nobody can trust to be one.
pub(crate) fn is_refusal(status: u16, said: &Value, product_id: i64) -> Option<bool> {
    let code = said["code"].as_str().unwrap_or_default();
    if status == 409 && code == "device_limit_reached" {
        return Some(true);
    }
    let is_answer = status == 200 && said["product"]["id"] == product_id && seconds(said["checked_at"].as_str()) > 0;
    match said["valid"].as_bool().filter(|_| is_answer)? {
        true => said["token"].is_string().then_some(false),
        false => (code != "device_limit_reached" && state_of(code).is_some()).then_some(true),
    }
}

impl LastAnswer {
    /// The answer to remember. One without a time of its own (409) keeps the one before.
    pub fn after(self, before: Self, now: i64) -> Self {
        let server = seconds(self.checked_at.as_deref());
        let ahead = if server > 0 { now - server } else { before.ahead };
        Self {
            checked_at: self.checked_at.or(before.checked_at),
            ahead: if ahead > TOLERANCE { ahead } else { 0 },
            ..self
        }
    }
}

/// The numbers of a version, whether they are all that it has, and its words. It sorts as Semantic Versioning, section
/// 11, says.
type Version<'a> = (Vec<u64>, bool, Vec<(u64, &'a str)>);

/// `None` for a text that is no version.
fn version_of(text: &str) -> Option<Version<'_>> {
    let text = text.trim().trim_start_matches('v').split('+').next()?;
    let (numbers, words) = text.split_once('-').unwrap_or((text, ""));
    let mut numbers: Vec<u64> = numbers.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    // A version with words comes before the one without; numbers among them come before the others.
    let words_of = words.split('.').map(|part| part.parse().map_or((u64::MAX, part), |number| (number, "")));
    Some((numbers, words.is_empty(), words_of.collect()))
}

impl Client {
    /// The state of a license from what is remembered, by the rules of the page of states, in its order.
    pub(crate) fn judge(
        &self, kept: LastAnswer, clock: &LastClock, trust: &Trust, device_id: &str, now: i64,
    ) -> Status {
        let (product_id, version, keys) =
            (self.options.product_id, self.options.app_version.as_deref(), self.keys(trust));
        let policy: Option<Policy> = payload_of(trust.policy.as_deref(), POLICY, keys);
        let refused = kept.refusal.as_ref().and_then(|refusal| Some((state_of(refusal["code"].as_str()?)?, refusal)));
        let token = kept.token.as_deref().filter(|_| refused.is_none());
        let known = Claims::of(token, keys, product_id, device_id);
        let claims = known.clone().unwrap_or_default();
        let checked = seconds(kept.checked_at.as_deref()).max(claims.iat as i64);
        // The clock was ahead at the last answer, and is again unless it was set right since.
        let time = checked.max(if clock.backs > 0 { now } else { now - kept.ahead });
        let hours = policy.as_ref().map_or(RECHECK_HOURS, |policy| policy.policy.recheck_hours);
        let access_end = seconds(claims.access_expires_at.as_deref());
        // An answer of after the policy knew of its revocations.
        let is_blocked = policy.as_ref().is_some_and(|policy| {
            let is_here = |one: &Blocked| one.product_id == product_id && one.device_id == device_id;
            seconds(Some(&policy.signed_at)) >= checked && policy.revoked.iter().any(is_here)
        });
        let (state, code) = match (refused, &known) {
            (Some((state, refusal)), _) => (state, refusal["code"].as_str().unwrap_or_default()),
            (None, None) if token.is_none() => (State::Unknown, "never_checked"),
            (None, None) => (State::Unknown, "token_rejected"),
            _ if is_blocked => (State::Revoked, "device_revoked"),
            _ if access_end > 0 && time >= access_end => (State::Expired, "access_expired"),
            _ if time as f64 >= claims.exp => (State::Expired, "offline_too_long"),
            _ if f64::from(clock.backs) > (claims.exp - claims.iat) / 86_400.0 => (State::Expired, "clock_set_back"),
            _ if time as f64 >= checked as f64 + hours * 3600.0 && !claims.offline => (State::Grace, "check_overdue"),
            _ => (State::Licensed, "valid"),
        };
        let may_run = matches!(state, State::Licensed | State::Grace);
        let clock_back = clock.backs > 0 || now < checked - TOLERANCE;
        let is_other = version != kept.app_version.as_deref();
        let least = policy.as_ref().and_then(|policy| version_of(&policy.min_client_version));
        let mine = version.and_then(version_of);
        let said = |name: &str| refused.and_then(|(_, refusal)| refusal[name].as_str().map(String::from));
        Status {
            state,
            may_run,
            code: code.to_owned(),
            message: said("message"),
            runs_until: iso(claims.exp as i64).filter(|_| may_run),
            access_expires_at: claims.access_expires_at.or_else(|| said("access_expires_at")),
            updates_supported_until: claims.updates_supported_until,
            version_covered: claims.version_covered.filter(|_| !is_other),
            check_due: !claims.offline && (state != State::Licensed || clock_back || is_other),
            clock_back,
            update_required: mine.zip(least).is_some_and(|(mine, least)| mine < least),
            manage_url: said("manage_url"),
            // Other refusals count the devices alone.
            devices: refused.and_then(|(_, refusal)| Vec::deserialize(&refusal["devices"]).ok()),
            error: None,
        }
    }
}
