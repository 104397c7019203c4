use std::time::Instant;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use jiff::Timestamp;
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ureq::http::Uri;

use crate::store::lock;
use crate::{Client, Key, State, Status};

const DAY: i64 = 86_400;

/// The policy as a compact JWS, and the keys that verify it.
#[derive(Serialize)]
pub(crate) struct Trust {
    pub policy: Option<String>,
    pub keys: Vec<Key>,
}

/// The usable keys in a shop's `/.well-known/jwks.json`, for pinning.
pub fn keys(jwks: &str) -> Vec<Key> {
    let said: Value = serde_json::from_str(jwks).unwrap_or_default();
    keys_of(if said.is_array() { &said } else { &said["keys"] })
}

/// The usable keys of a list, at most 100.
pub(crate) fn keys_of(list: &Value) -> Vec<Key> {
    let is_usable =
        |key: &Key| key.kty == "OKP" && key.crv == "Ed25519" && BASE64.decode(&key.x).is_ok_and(|x| x.len() == 32);
    let keys = list.as_array().into_iter().flatten().filter_map(|key| Key::deserialize(key).ok());
    keys.filter(is_usable).take(100).collect()
}

pub(crate) fn text(value: &Value) -> Option<String> {
    value.as_str().map(String::from)
}

/// Seconds since 1970 of an ISO text; 0 for any other.
pub(crate) fn seconds(iso: &Value) -> i64 {
    iso.as_str().and_then(|text| text.parse::<Timestamp>().ok()).map_or(0, Timestamp::as_second)
}

pub(crate) fn iso(at: i64) -> Option<String> {
    Timestamp::from_second(at).ok().map(|time| format!("{time:.3}"))
}

/// A number of seconds before the year 10000.
fn time_of(value: &Value) -> Option<i64> {
    value.as_f64().filter(|at| (0.0..=253_402_300_799.0).contains(at)).map(|at| at as i64)
}

/// The payload of a compact JWS of this `typ` that one of the keys signed with Ed25519; `None` otherwise.
fn payload_of(jws: Option<&str>, typ: &str, keys: &[Key]) -> Option<Value> {
    let bytes_of = |part: &str| BASE64.decode(part).ok();
    let (signed, signature) = jws?.rsplit_once('.')?;
    let (head, body) = signed.split_once('.')?;
    let header: Value = serde_json::from_slice(&bytes_of(head)?).ok()?;
    let signature = bytes_of(signature)?;
    let has_signed = |key: &Key| {
        let public = UnparsedPublicKey::new(&ED25519, bytes_of(&key.x).unwrap_or_default());
        header["kid"] == *key.kid && public.verify(signed.as_bytes(), &signature).is_ok()
    };
    let is_sound = header["alg"] == "EdDSA" && header["typ"] == typ && header["crit"].is_null();
    let payload = serde_json::from_slice(&bytes_of(body)?).ok()?;
    (is_sound && keys.iter().any(has_signed)).then_some(payload)
}

pub(crate) fn policy_of(jws: Option<&str>, keys: &[Key]) -> Option<Value> {
    payload_of(jws, "client-policy+jws", keys)
}

/// Scheme, host, port and path of an address.
fn place(url: &str) -> Option<(String, String, u16, String)> {
    let uri: Uri = url.parse().ok()?;
    let scheme = uri.scheme_str()?.to_ascii_lowercase();
    let port = uri.port_u16().unwrap_or(if scheme == "http" { 80 } else { 443 });
    Some((scheme, uri.host()?.to_ascii_lowercase(), port, uri.path().trim_end_matches('/').to_owned()))
}

fn state_of(code: &Value) -> Option<State> {
    match code.as_str()? {
        "access_expired" | "trial_ended" => Some(State::Expired),
        "entitlement_revoked" | "device_revoked" | "device_shared" => Some(State::Revoked),
        "not_entitled" | "device_limit_reached" | "session_limit_reached" => Some(State::Unknown),
        _ => None,
    }
}

/// True for a refusal, false for a valid license with a token; `None` for an answer that can't be trusted.
pub(crate) fn is_refusal(status: u16, said: &Value, product_id: i64) -> Option<bool> {
    let is_limit = said["code"] == "device_limit_reached" || said["code"] == "session_limit_reached";
    if status == 409 && is_limit {
        return Some(true);
    }
    let is_answer = status == 200 && said["product"]["id"] == product_id && seconds(&said["checked_at"]) > 0;
    match said["valid"].as_bool().filter(|_| is_answer)? {
        true => said["token"].is_string().then_some(false),
        false => (!is_limit && state_of(&said["code"]).is_some()).then_some(true),
    }
}

/// The numbers of a version, whether it has no other parts, and its words. It sorts by Semantic Versioning, section 11.
type Version<'a> = (Vec<u64>, bool, Vec<(u64, &'a str)>);

/// `None` for a text that is not a version.
fn version_of(text: &str) -> Option<Version<'_>> {
    let text = text.trim().trim_start_matches('v').split('+').next()?;
    let (numbers, words) = text.split_once('-').unwrap_or((text, ""));
    let mut numbers: Vec<u64> = numbers.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    // A version with words comes before the one without; among the words, numbers come first.
    let words_of = words.split('.').map(|part| part.parse().map_or((u64::MAX, part), |number| (number, "")));
    Some((numbers, words.is_empty(), words_of.collect()))
}

impl Client {
    /// The claims of a license token of this shop for this product; `None` for any other text.
    pub(crate) fn claims(&self, token: Option<&str>, keys: &[Key]) -> Option<Value> {
        let said = payload_of(token, "license+jws", keys)?;
        let issuer = self.options.issuer.as_ref().unwrap_or(&self.options.api);
        let is_ours = said["valid"] == true && said["product_id"] == self.options.product_id;
        let is_issuer = place(said["iss"].as_str()?)? == place(issuer)?;
        let whole = |name: &str| time_of(&said[name]).filter(|at| said[name].as_f64() == Some(*at as f64));
        let is_short = whole("exp")? - whole("iat")? <= 400 * DAY || said["perpetual"] == true;
        (is_ours && is_issuer && is_short).then_some(said)
    }
    /// The time in the server's terms, which setting the clock back does not change. `signed` is a signed time.
    pub(crate) fn tick(&self, now: i64, signed: i64) -> i64 {
        let kept = self.read("clock");
        let kept = time_of(&kept["time"]).zip(time_of(&kept["seen"]));
        let mut since = lock(&self.since);
        if since.0 != kept {
            *since = (kept, Instant::now());
        }
        // Within a process, the monotonic clock counts too.
        let passed = since.1.elapsed().as_secs() as i64;
        let time = match kept {
            None => now,
            // A clock without a battery started at its first day, and was corrected.
            Some((time, seen)) if time - seen > 365 * DAY && now - seen > 365 * DAY => now.max(time + passed),
            Some((time, seen)) if now >= seen => time + passed.max(now - seen),
            Some((time, _)) => now.max(time + passed),
        };
        let time = time.max(signed);
        // Writing at each call would wear the disk; a minute is precise enough for the rules of the clock.
        if kept.is_none_or(|(before, seen)| time - before >= 60 || now < seen) {
            self.keep_clock(time, now);
            *since = (Some((time, now)), Instant::now());
        }
        time
    }
    pub(crate) fn keep_clock(&self, time: i64, now: i64) {
        self.keep("clock", &json!({ "time": time, "seen": now }));
    }
    /// The state of a license from what is remembered, by the rules of the documentation's page of states, in their
    /// order.
    pub(crate) fn judge(&self, device_id: &str) -> Status {
        let (kept, trust, now) = (self.answer(), self.trust(), self.now());
        let (product_id, version) = (self.options.product_id, self.options.app_version.as_deref());
        let policy = policy_of(trust.policy.as_deref(), &trust.keys).unwrap_or_default();
        let refused = state_of(&kept["refusal"]["code"]);
        let refusal = if refused.is_some() { &kept["refusal"] } else { &Value::Null };
        let token = kept["token"].as_str().filter(|_| refused.is_none());
        let known = self.claims(token, &trust.keys).filter(|claims| claims["device_id"] == device_id);
        let claims = known.as_ref().unwrap_or(&Value::Null);
        let (issued, ends) = (time_of(&claims["iat"]).unwrap_or(0), time_of(&claims["exp"]).unwrap_or(0));
        let signed_at = seconds(&policy["signed_at"]);
        let time = self.tick(now, issued.max(signed_at));
        let recheck = (policy["policy"]["recheck_hours"].as_f64().unwrap_or(24.0) * 3600.0) as i64;
        let access_end = seconds(&claims["access_expires_at"]);
        let is_here = |one: &Value| one["product_id"] == product_id && one["device_id"] == device_id;
        // The answer is older than the policy, whose revocations therefore apply.
        let is_blocked = signed_at >= issued && policy["revoked"].as_array().is_some_and(|all| all.iter().any(is_here));
        let is_other = version != kept["app_version"].as_str();
        let is_offline = claims["offline"] == true;
        let is_overdue = time - issued >= recheck && !is_offline;
        let is_trial = claims["trial"] == true;
        let has_ended = access_end > 0 && time >= access_end;
        let version_covered = claims["version_covered"].as_bool().filter(|_| !is_other);
        let is_uncovered = version_covered == Some(false) && claims["uncovered_versions"] == "refused";
        let (state, code) = match refused {
            Some(state) => (state, refusal["code"].as_str().unwrap_or_default()),
            None if token.is_none() => (State::Unknown, "never_checked"),
            None if known.is_none() => (State::Unknown, "token_rejected"),
            None if is_blocked => (State::Revoked, "device_revoked"),
            None if is_trial && (has_ended || time >= ends) => (State::Expired, "trial_ended"),
            None if has_ended => (State::Expired, "access_expired"),
            None if time >= ends && now < ends => (State::Expired, "clock_set_back"),
            None if time >= ends => (State::Expired, "offline_too_long"),
            None if is_uncovered => (State::Expired, "version_not_covered"),
            None if is_trial => (State::Trial, "valid"),
            None if is_overdue && claims["perpetual"] != true => (State::Grace, "check_overdue"),
            None => (State::Licensed, "valid"),
        };
        let is_calm = matches!(state, State::Licensed | State::Trial);
        let may_run = is_calm || state == State::Grace;
        let terms = if may_run { claims } else { &Value::Null };
        let texts = |list: &Value| list.as_array().into_iter().flatten().filter_map(text).collect();
        let named = |(name, value): (&String, &Value)| Some((name.clone(), text(value)?));
        let clock_back = time - now > 600;
        let least = policy["min_client_version"].as_str().and_then(version_of);
        Status {
            state,
            may_run,
            code: code.to_owned(),
            message: text(&refusal["message"]),
            runs_until: iso(ends).filter(|_| may_run),
            access_expires_at: text(&claims["access_expires_at"]).or_else(|| text(&refusal["access_expires_at"])),
            updates_supported_until: text(&claims["updates_supported_until"]),
            version_covered,
            edition: text(&terms["edition"]),
            features: texts(&terms["features"]),
            metadata: terms["metadata"].as_object().into_iter().flatten().filter_map(named).collect(),
            days_left: (state == State::Trial).then(|| (ends - time + DAY - 1) / DAY),
            lease_id: text(&terms["lease_id"]),
            check_due: !is_offline && (!is_calm || is_overdue || clock_back || is_other),
            clock_back,
            update_required: version.and_then(version_of).zip(least).is_some_and(|(mine, least)| mine < least),
            manage_url: text(&refusal["manage_url"]),
            // Other refusals have only the number of devices.
            devices: Vec::deserialize(&refusal["devices"]).ok(),
            sessions: Vec::deserialize(&refusal["sessions"]).ok(),
            error: None,
        }
    }
}
