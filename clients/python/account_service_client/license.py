"""The state of a remembered license, and the interpretation of the server's answers."""

import base64
import math
import re
import unicodedata
import urllib.parse
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import Any, Dict, List, Optional, Tuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .calls import ApiError, Json, fields, parse, text

#: The clock skew that is tolerated, in seconds.
TOLERANCE = 600

#: A clock that was more than a year behind and jumps by more than a year was corrected, as after an empty battery.
YEAR = 365 * 86_400

#: The maximum validity of a token with an end: an offline file of a year, and some weeks.
LONGEST = 400 * 86_400

#: The end of the year 9999.
LAST = 253_402_300_799

#: The hours between two checks if the shop signs no policy.
RECHECK_HOURS = 24

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class State(str, Enum):
    """The state of a license. Equal to its string, and printed as it."""

    LICENSED = "licensed"
    GRACE = "grace"
    TRIAL = "trial"
    EXPIRED = "expired"
    REVOKED = "revoked"
    UNKNOWN = "unknown"

    __str__ = str.__str__


class Code(str, Enum):
    """The reason for a license's state. Equal to its string, and printed as it."""

    VALID = "valid"
    CHECK_OVERDUE = "check_overdue"
    OFFLINE_TOO_LONG = "offline_too_long"
    ACCESS_EXPIRED = "access_expired"
    TRIAL_ENDED = "trial_ended"
    CLOCK_SET_BACK = "clock_set_back"
    VERSION_NOT_COVERED = "version_not_covered"
    ENTITLEMENT_REVOKED = "entitlement_revoked"
    DEVICE_REVOKED = "device_revoked"
    DEVICE_SHARED = "device_shared"
    NEVER_CHECKED = "never_checked"
    NOT_ENTITLED = "not_entitled"
    DEVICE_LIMIT_REACHED = "device_limit_reached"
    SESSION_LIMIT_REACHED = "session_limit_reached"
    TOKEN_REJECTED = "token_rejected"

    __str__ = str.__str__


#: The refusals of the server.
STATES = {
    Code.ACCESS_EXPIRED: State.EXPIRED,
    Code.TRIAL_ENDED: State.EXPIRED,
    Code.ENTITLEMENT_REVOKED: State.REVOKED,
    Code.DEVICE_REVOKED: State.REVOKED,
    Code.DEVICE_SHARED: State.REVOKED,
    Code.NOT_ENTITLED: State.UNKNOWN,
    Code.DEVICE_LIMIT_REACHED: State.UNKNOWN,
    Code.SESSION_LIMIT_REACHED: State.UNKNOWN,
}

#: The refusals of a license whose slots are all taken (409).
LIMITS = (Code.DEVICE_LIMIT_REACHED, Code.SESSION_LIMIT_REACHED)


@dataclass(frozen=True)
class Status:
    """The license of this device. Times are ISO 8601 in UTC."""

    state: State
    #: True for `licensed`, `grace` and `trial`.
    may_run: bool
    #: The reason for the state.
    code: Code
    #: The server's message for the buyer.
    message: Optional[str]
    #: The time until which the application may run without another check.
    runs_until: Optional[str]
    access_expires_at: Optional[str]
    updates_supported_until: Optional[str]
    #: False if the update window does not cover `app_version`; None if unknown.
    version_covered: Optional[bool]
    #: The edition, if the product has editions; None as long as the application may not run.
    edition: Optional[str]
    #: The features of the license, sorted; empty as long as the application may not run.
    features: List[str]
    #: The shop's own texts about the product, by name; empty as long as the application may not run.
    metadata: Dict[str, str]
    #: The days that are left of the trial, 1 on its last day; None outside a trial.
    days_left: Optional[int]
    #: The slot of a floating license that this device holds.
    lease_id: Optional[str]
    #: True if `check` should be called as soon as there is a network.
    check_due: bool
    #: True if the clock is behind the latest moment known to have passed.
    clock_back: bool
    #: True if `app_version` is below the policy's minimum version.
    update_required: bool
    #: The page on which the buyer frees a slot; only with `device_limit_reached` and `session_limit_reached`.
    manage_url: Optional[str]
    #: The devices in use; only with `device_limit_reached`.
    devices: Optional[List[Json]]
    #: The sessions that hold all slots, at most 100; only with `session_limit_reached`.
    sessions: Optional[List[Json]]
    #: The reason why the last call got no answer, or could not remember it.
    error: Optional[ApiError] = None

    def has(self, feature: str) -> bool:
        """True if the application may run and the license has this feature."""
        return feature in self.features


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15


def is_moment(value: Any) -> bool:
    return is_number(value) and 0 <= value <= LAST


def seconds(iso: Optional[str]) -> int:
    """Seconds since 1970 of an ISO text; 0 for any other."""
    try:
        moment = datetime.fromisoformat((iso or "").replace("Z", "+00:00"))
        return math.floor((moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp())
    except (ValueError, OverflowError):
        return 0


def iso(at: float) -> str:
    # On some systems, `fromtimestamp` fails before the year 9999.
    return (EPOCH + timedelta(seconds=at)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def parsed(kept: Optional[str]) -> Json:
    """An unreadable text counts as missing."""
    try:
        return fields(parse(kept or "null"))
    except ValueError:
        return {}


def _refusal(said: Json) -> Optional[Json]:
    code = text(said.get("code"))
    if code not in STATES:
        return None
    texts = {name: text(said.get(name)) for name in ("message", "access_expires_at", "manage_url")}
    lists = {name: said[name] if isinstance(said.get(name), list) else None for name in ("devices", "sessions")}
    return {"code": Code(code), **texts, **lists}


def read_answer(kept: Optional[str]) -> Json:
    """The last answer; `continuation` is sent to the server with the next check."""
    said = parsed(kept)
    texts = {name: text(said.get(name)) for name in ("token", "app_version", "continuation")}
    return {**texts, "refusal": _refusal(fields(said.get("refusal")))}


@dataclass(frozen=True)
class Clock:
    """The latest moment known to have passed, and the local clock at that moment, in seconds since 1970."""

    time: int
    seen: int


def read_clock(kept: Optional[str]) -> Optional[Clock]:
    said = parsed(kept)
    time, seen = said.get("time"), said.get("seen")
    return Clock(int(time), int(seen)) if is_moment(time) and is_moment(seen) else None  # type: ignore[arg-type]


def read_trust(kept: Optional[str]) -> Json:
    """The policy as a compact JWS, and the keys of the shop."""
    said = parsed(kept)
    return {"policy": text(said.get("policy")), "keys": usable(said.get("keys"))}


def usable(keys: Any) -> List[Json]:
    """The Ed25519 keys in an untrusted list."""

    def is_key(one: Json) -> bool:
        is_ours = one.get("kty") == "OKP" and one.get("crv") == "Ed25519" and text(one.get("kid")) is not None
        return is_ours and bool(re.fullmatch(r"[\w-]{43}", text(one.get("x")) or "", re.ASCII))

    return [one for one in map(fields, keys) if is_key(one)][:100] if isinstance(keys, list) else []


def ticked(before: Optional[Clock], now: int, passed: int, signed: int) -> Clock:
    """The clock after a new reading: each step forward counts, and setting it back has no effect. `passed` is the time
    by the monotonic clock in seconds, and `signed` the latest moment in a signed text."""
    if before is None:
        return Clock(max(now, signed), now)
    moved = now - before.seen
    is_set_right = moved > YEAR and before.time - before.seen > YEAR
    time = before.time + max(0 if is_set_right else moved, passed)
    return Clock(min(max(time, signed, now if moved < 0 or is_set_right else 0), LAST), now)


def key_of(pasted: object) -> Optional[str]:
    """The key in a buyer's pasted text; None if there is none."""
    whole = "".join(one for one in str(pasted) if not one.isspace() and unicodedata.category(one) != "Cf")
    key = whole.strip("\"'`<>«»‹›„‚“”‘’‟‛「」")
    return key if re.fullmatch(r"[A-Za-z0-9._~+/=-]{8,255}", key) else None


def _bytes(part: str) -> bytes:
    if not re.fullmatch(r"[\w-]+", part, re.ASCII):
        raise ValueError("This is not base64url.")
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _payload(jws: Optional[str], typ: str, keys: List[Json]) -> Json:
    """The payload of a compact JWS of this `typ` that one of the keys signed with Ed25519; empty for any other text."""
    try:
        head, body, signature = (jws or "").split(".")
        header = fields(parse(_bytes(head).decode()))
        if header.get("alg") != "EdDSA" or header.get("typ") != typ or header.get("crit"):
            return {}
        key = next(key for key in keys if key["kid"] == header.get("kid"))
        Ed25519PublicKey.from_public_bytes(_bytes(key["x"])).verify(_bytes(signature), f"{head}.{body}".encode())
        return fields(parse(_bytes(body).decode()))
    except Exception:  # Whatever is wrong with a text, it is none.
        return {}


@dataclass(frozen=True)
class Asked:
    """The parameters of a license's state. Without pinned `keys`, the remembered ones count; without a `device_id`, any
    device."""

    product_id: int
    device_id: Optional[str]
    app_version: Optional[str]
    keys: Optional[List[Json]]
    issuer: str


def _origin(issuer: str) -> Tuple[object, ...]:
    parts = urllib.parse.urlsplit(issuer)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, port, parts.path.rstrip("/"), parts.query


def _is_issuer(iss: Any, issuer: str) -> bool:
    try:
        return isinstance(iss, str) and _origin(iss) == _origin(issuer)
    except ValueError:
        return bool(iss == issuer)


def claims_of(token: Optional[str], keys: List[Json], asked: Asked) -> Optional[Json]:
    """The claims of a license token of this shop for this product and device; None for any other text."""
    claims = _payload(token, "license+jws", keys)
    iat, exp, device = claims.get("iat"), claims.get("exp"), text(claims.get("device_id"))
    ours = claims.get("valid") is True and claims.get("product_id") == asked.product_id
    here = device is not None and asked.device_id in (None, device)
    timed = is_moment(iat) and is_moment(exp) and iat % 1 == exp % 1 == 0  # type: ignore[operator]
    short = timed and (exp - iat <= LONGEST or claims.get("perpetual") is True)  # type: ignore[operator]
    return claims if ours and here and short and _is_issuer(claims.get("iss"), asked.issuer) else None


def policy_of(jws: Optional[str], keys: List[Json]) -> Optional[Json]:
    """The signed client policy; None for any other text."""
    policy = _payload(jws, "client-policy+jws", keys)
    terms = fields(policy.get("policy"))
    whole = text(policy.get("min_client_version")) is not None and isinstance(policy.get("revoked"), list)
    numbers = (policy.get("version"), terms.get("ttl_days"), terms.get("recheck_hours"))
    signed = text(policy.get("signed_at")) is not None
    return policy if whole and signed and all(map(is_number, numbers)) else None


def is_later(before: Optional[Json], policy: Json) -> bool:
    """A policy with a lower version than a known one is ignored."""
    return before is None or (policy["version"], policy["signed_at"]) >= (before["version"], before["signed_at"])


def refusal_of(status: int, body: Json, product_id: int) -> Tuple[bool, Optional[Json]]:
    """Whether an answer to a license check can be trusted, and its refusal; None for a valid license."""
    refusal = _refusal(body)
    limited = refusal is not None and refusal["code"] in LIMITS
    if status == 409 and limited:
        return True, {**_refusal(body), "access_expires_at": None}  # type: ignore[dict-item]
    checked = seconds(text(body.get("checked_at"))) != 0
    if status != 200 or not checked or fields(body.get("product")).get("id") != product_id:
        return False, None
    if body.get("valid") is True:
        return text(body.get("token")) is not None, None
    known = body.get("valid") is False and refusal is not None and not limited
    return known, {**refusal, "manage_url": None, "devices": None, "sessions": None} if known and refusal else None


def _order_of(version: str) -> Optional[Tuple[List[int], bool, List[Tuple[int, int, str]]]]:
    """The parts of a version that compare by precedence (Semantic Versioning, section 11): numbers by value, before
    words; None for any other text."""
    match = re.fullmatch(r"v?(\d+(?:\.\d+)*?)(?:\.0+)*(?:-([\w.-]+))?(?:\+.*)?", version[:255].strip(), re.ASCII)
    if not match:
        return None
    words = [(0, int(one), "") if one.isdigit() else (1, 0, one) for one in (match[2] or "").split(".")]
    return [int(one) for one in match[1].split(".")], not match[2], words


def is_lower(version: str, least: str) -> bool:
    """True if `version` is lower than `least`; False if either is not a version."""
    a, b = _order_of(version), _order_of(least)
    return bool(a and b and a < b)


@dataclass(frozen=True)
class Signed:
    """The remembered claims and policy that are valid."""

    claims: Optional[Json]
    policy: Optional[Json]

    def moment(self) -> int:
        """The latest moment in a signed text."""
        return min(max(int((self.claims or {}).get("iat", 0)), self.signed_at()), LAST)

    def signed_at(self) -> int:
        return seconds(self.policy["signed_at"]) if self.policy else 0


def signed_of(answer: Json, trust: Json, asked: Asked) -> Signed:
    keys = trust["keys"] if asked.keys is None else asked.keys
    claims = None if answer["refusal"] else claims_of(answer["token"], keys, asked)
    return Signed(claims, policy_of(trust["policy"], keys))


def judge(answer: Json, signed: Signed, clock: Clock, asked: Asked) -> Status:
    """The state of a license from what is remembered, by the rules of the documentation's page of states, in their
    order."""
    refusal, claims, policy = answer["refusal"], signed.claims, signed.policy
    known, said, time, now = claims or {}, refusal or {}, clock.time, clock.seen
    offline = known.get("offline") is True
    is_other = asked.app_version != answer["app_version"]
    covered = known.get("version_covered")
    covered = covered if isinstance(covered, bool) and not is_other else None
    hours = policy["policy"]["recheck_hours"] if policy else RECHECK_HOURS
    is_overdue = not offline and time >= known.get("iat", 0) + hours * 3600
    is_trial = known.get("trial") is True

    def verdict() -> Tuple[State, Code]:
        if refusal:
            return STATES[refusal["code"]], refusal["code"]
        if answer["token"] is None:
            return State.UNKNOWN, Code.NEVER_CHECKED
        if not claims:
            return State.UNKNOWN, Code.TOKEN_REJECTED
        # The answer is older than the policy, whose revocations therefore apply.
        if policy and signed.signed_at() >= claims["iat"]:
            blocked = [(fields(one).get("product_id"), fields(one).get("device_id")) for one in policy["revoked"]]
            if (asked.product_id, asked.device_id) in blocked:
                return State.REVOKED, Code.DEVICE_REVOKED
        ends = seconds(text(claims.get("access_expires_at"))) or math.inf
        if time >= (min(ends, claims["exp"]) if is_trial else ends):
            return State.EXPIRED, Code.TRIAL_ENDED if is_trial else Code.ACCESS_EXPIRED
        if time >= claims["exp"]:
            return State.EXPIRED, Code.CLOCK_SET_BACK if now < claims["exp"] else Code.OFFLINE_TOO_LONG
        if covered is False and claims.get("uncovered_versions") == "refused":
            return State.EXPIRED, Code.VERSION_NOT_COVERED
        if is_trial:
            return State.TRIAL, Code.VALID
        if is_overdue and claims.get("perpetual") is not True:
            return State.GRACE, Code.CHECK_OVERDUE
        return State.LICENSED, Code.VALID

    state, code = verdict()
    may_run = state in (State.LICENSED, State.GRACE, State.TRIAL)
    terms = known if may_run else {}
    features = terms.get("features")
    clock_back = time - now > TOLERANCE
    lowest = policy["min_client_version"] if policy else ""
    return Status(
        state=state,
        may_run=may_run,
        code=code,
        message=said.get("message"),
        runs_until=iso(known["exp"]) if may_run else None,
        access_expires_at=text((refusal or known).get("access_expires_at")),
        updates_supported_until=text(known.get("updates_supported_until")),
        version_covered=covered,
        edition=text(terms.get("edition")),
        features=[one for one in features if isinstance(one, str)] if isinstance(features, list) else [],
        metadata={name: one for name, one in fields(terms.get("metadata")).items() if isinstance(one, str)},
        days_left=math.ceil((known["exp"] - time) / 86_400) if state == State.TRIAL else None,
        lease_id=text(terms.get("lease_id")),
        check_due=not offline
        and (state not in (State.LICENSED, State.TRIAL) or is_overdue or clock_back or is_other),
        clock_back=clock_back,
        update_required=asked.app_version is not None and is_lower(asked.app_version, lowest),
        manage_url=said.get("manage_url"),
        devices=said.get("devices"),
        sessions=said.get("sessions"),
    )
