"""The state of a license from what is remembered, and what the server's answers say."""

import base64
import json
import math
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, List, Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .calls import ApiError, fields

Json = Dict[str, Any]

#: Seconds by which clocks may differ before anything is said.
TOLERANCE = 600

#: The hours between two checks where the shop signs no policy.
RECHECK_HOURS = 24

STATES = {
    "access_expired": "expired",
    "entitlement_revoked": "revoked",
    "device_revoked": "revoked",
    "not_entitled": "unknown",
    "device_limit_reached": "unknown",
}


@dataclass(frozen=True)
class Status:
    """The license of this device. Times are ISO 8601 in UTC."""

    #: `licensed`, `grace`, `expired`, `revoked` or `unknown`.
    state: str
    #: True for `licensed` and `grace`.
    may_run: bool
    #: Why the state is what it is.
    code: str
    #: The server's sentence for the buyer.
    message: Optional[str]
    #: Until then the application may run without a further check.
    runs_until: Optional[str]
    access_expires_at: Optional[str]
    updates_supported_until: Optional[str]
    #: False where the update window does not cover `app_version`; None where nobody knows.
    version_covered: Optional[bool]
    #: True where `check` should be called as soon as there is a network.
    check_due: bool
    #: True where the clock was set back since the last check, or is behind the server's.
    clock_back: bool
    #: True where the policy's lowest version is above `app_version`.
    update_required: bool
    #: The page on which the buyer releases a device, and the devices in use; only with `device_limit_reached`.
    manage_url: Optional[str]
    devices: Optional[List[Json]]
    #: Why the last call got no answer to remember; the status is then the one from before.
    error: Optional[ApiError] = None


def text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def count(value: Any) -> Any:
    return value if is_number(value) and value >= 0 else 0


def seconds(iso: Optional[str]) -> int:
    """Seconds since 1970 of an ISO text; 0 where there is none."""
    try:
        moment = datetime.fromisoformat((iso or "").replace("Z", "+00:00"))
    except ValueError:
        return 0
    return math.floor((moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp())


def iso(at: float) -> str:
    return datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def parsed(kept: Optional[str]) -> Json:
    """A text that nobody can read is as if nothing were remembered."""
    try:
        return fields(json.loads(kept or "null"))
    except ValueError:
        return {}


def read_answer(kept: Optional[str]) -> Json:
    """The last answer: `token`, `refusal`, `checked_at` (the server's time), `app_version`, and `ahead`, the seconds by
    which the clock here was ahead of the server's."""
    said = parsed(kept)
    refusal = fields(said.get("refusal"))
    return {
        "token": text(said.get("token")),
        "refusal": refusal if refusal.get("code") in STATES else None,
        "checked_at": text(said.get("checked_at")),
        "app_version": text(said.get("app_version")),
        "ahead": count(said.get("ahead")),
    }


def read_clock(kept: Optional[str]) -> Json:
    """The clock as it was read last (seconds), and how often it was set back since the last answer."""
    said = parsed(kept)
    last = said.get("last")
    return {"last": last if is_number(last) else None, "backs": count(said.get("backs"))}


def read_trust(kept: Optional[str]) -> Json:
    """The policy as a compact JWS, and the keys of the shop."""
    said = parsed(kept)
    keys = said.get("keys")
    return {"policy": text(said.get("policy")), "keys": keys if isinstance(keys, list) else []}


def ticked(clock: Json, now: int) -> Json:
    """The clock after it was read anew."""
    back = clock["last"] is not None and now < clock["last"] - TOLERANCE
    return {"last": now, "backs": clock["backs"] + int(back)}


def _bytes(part: str) -> bytes:
    if not re.fullmatch(r"[\w-]+", part, re.ASCII):
        raise ValueError("This is not base64url.")
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _payload(jws: Optional[str], typ: str, keys: List[Json]) -> Optional[Json]:
    """The payload of a compact JWS of this `typ` that one of the keys signed with Ed25519; None for any other text."""
    try:
        head, body, signature = (jws or "").split(".")
        header = fields(json.loads(_bytes(head)))
        if header.get("alg") != "EdDSA" or header.get("typ") != typ or header.get("crit"):
            return None
        named = [key for key in map(fields, keys) if key.get("kid") == header.get("kid")]
        key = next(key for key in named if key.get("kty") == "OKP" and key.get("crv") == "Ed25519")
        public = Ed25519PublicKey.from_public_bytes(_bytes(key["x"]))
        public.verify(_bytes(signature), f"{head}.{body}".encode())
        return fields(json.loads(_bytes(body)))
    except (InvalidSignature, KeyError, StopIteration, TypeError, ValueError):
        return None


def claims_of(token: Optional[str], keys: List[Json], product_id: int, device_id: str) -> Optional[Json]:
    """The claims of a license token for this product and device; None for any other text."""
    claims = _payload(token, "license+jws", keys) or {}
    ours = claims.get("valid") is True and claims.get("product_id") == product_id
    timed = is_number(claims.get("iat")) and is_number(claims.get("exp"))
    return claims if ours and timed and claims.get("device_id") == device_id else None


def policy_of(jws: Optional[str], keys: List[Json]) -> Optional[Json]:
    """The signed client policy; None for any other text."""
    policy = _payload(jws, "client-policy+jws", keys) or {}
    terms = fields(policy.get("policy"))
    whole = text(policy.get("min_client_version")) is not None and isinstance(policy.get("revoked"), list)
    numbers = (policy.get("version"), terms.get("ttl_days"), terms.get("recheck_hours"))
    signed = text(policy.get("signed_at")) is not None
    return policy if whole and signed and all(map(is_number, numbers)) else None


def is_later(before: Optional[Json], policy: Json) -> bool:
    """A policy of a lower version than one that was seen counts for nothing."""
    return before is None or (policy["version"], policy["signed_at"]) >= (before["version"], before["signed_at"])


def refusal_of(status: int, body: Json, product_id: int) -> Tuple[bool, Optional[Json]]:
    """Whether an answer to a license check can be trusted to be one, and its refusal; None for a valid license."""
    code = body.get("code")
    message = text(body.get("message"))
    said = {"code": code, "message": message, "access_expires_at": None, "manage_url": None, "devices": None}
    devices = body.get("devices")
    if status == 409 and code == "device_limit_reached":
        listed = devices if isinstance(devices, list) else None
        return True, {**said, "manage_url": text(body.get("manage_url")), "devices": listed}
    checked = seconds(text(body.get("checked_at"))) != 0
    if status != 200 or not checked or fields(body.get("product")).get("id") != product_id:
        return False, None
    if body.get("valid") is True:
        return text(body.get("token")) is not None, None
    known = body.get("valid") is False and code in STATES and code != "device_limit_reached"
    return known, {**said, "access_expires_at": text(body.get("access_expires_at"))}


def answered(before: Json, after: Json, app_version: Optional[str], now: int) -> Json:
    """The answer to remember. One without a time of its own (409) keeps the one before."""
    checked_at = after.get("checked_at")
    ahead = now - seconds(checked_at) if seconds(checked_at) > 0 else before["ahead"]
    return {
        "token": after.get("token"),
        "refusal": after.get("refusal"),
        "checked_at": checked_at or before["checked_at"],
        "app_version": app_version,
        "ahead": ahead if ahead > TOLERANCE else 0,
    }


def _identifiers(version: str) -> Optional[Tuple[List[str], List[str]]]:
    match = re.fullmatch(r"v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+.*)?", version.strip(), re.ASCII)
    return (match[1].split("."), match[2].split(".") if match[2] else []) if match else None


def _order(parts: List[str], width: int, missing: str) -> List[Tuple[float, str]]:
    """Parts that compare by precedence (Semantic Versioning, section 11): numbers by value, before words."""
    padded = parts + [missing] * (width - len(parts))
    numeric = [re.fullmatch(r"-?\d+", part) for part in padded]
    return [(int(part), "") if number else (math.inf, part) for part, number in zip(padded, numeric)]


def is_lower(version: str, least: str) -> bool:
    """True where `version` is lower than `least`; False where one of them is no version."""
    a, b = _identifiers(version), _identifiers(least)
    if not a or not b:
        return False
    width = max(len(a[0]), len(b[0]))
    x, y = _order(a[0], width, "0"), _order(b[0], width, "0")
    if x != y or not a[1] or not b[1]:
        return x < y or (x == y and bool(a[1]) and not b[1])
    width = max(len(a[1]), len(b[1]))
    return _order(a[1], width, "-1") < _order(b[1], width, "-1")


@dataclass(frozen=True)
class Asked:
    """What a license is judged for. Without pinned `keys`, those that are remembered count."""

    product_id: int
    device_id: str
    app_version: Optional[str]
    keys: Optional[List[Json]]


def judge(answer: Json, clock: Json, trust: Json, asked: Asked, now: int) -> Status:
    """The state of a license from what is remembered, by the rules of the page of states, in its order."""
    keys = trust["keys"] if asked.keys is None else asked.keys
    policy = policy_of(trust["policy"], keys)
    refusal = answer["refusal"]
    claims = None if refusal else claims_of(answer["token"], keys, asked.product_id, asked.device_id)
    known = claims or {}
    checked = max(seconds(answer["checked_at"]), known.get("iat", 0))
    # The clock was ahead at the last answer, and is again unless it was set right since.
    time = max(now if clock["backs"] > 0 else now - answer["ahead"], checked)
    recheck = checked + (policy["policy"]["recheck_hours"] if policy else RECHECK_HOURS) * 3600
    offline = known.get("offline") is True

    def verdict() -> Tuple[str, str]:
        if refusal:
            return STATES[refusal["code"]], refusal["code"]
        if answer["token"] is None:
            return "unknown", "never_checked"
        if not claims:
            return "unknown", "token_rejected"
        # An answer of after the policy knew of its revocations.
        if policy and seconds(policy["signed_at"]) >= checked:
            blocked = [(fields(one).get("product_id"), fields(one).get("device_id")) for one in policy["revoked"]]
            if (asked.product_id, asked.device_id) in blocked:
                return "revoked", "device_revoked"
        if time >= (seconds(text(claims.get("access_expires_at"))) or math.inf):
            return "expired", "access_expired"
        if time >= claims["exp"]:
            return "expired", "offline_too_long"
        if clock["backs"] > (claims["exp"] - claims["iat"]) / 86_400:
            return "expired", "clock_set_back"
        if time >= recheck and not offline:
            return "grace", "check_overdue"
        return "licensed", "valid"

    state, code = verdict()
    may_run = state in ("licensed", "grace")
    clock_back = clock["backs"] > 0 or now < checked - TOLERANCE
    is_other = asked.app_version != answer["app_version"]
    covered = known.get("version_covered")
    lowest = policy["min_client_version"] if policy else ""
    said = refusal or {}
    return Status(
        state=state,
        may_run=may_run,
        code=code,
        message=said.get("message"),
        runs_until=iso(known["exp"]) if may_run else None,
        access_expires_at=text((refusal or known).get("access_expires_at")),
        updates_supported_until=text(known.get("updates_supported_until")),
        version_covered=covered if isinstance(covered, bool) and not is_other else None,
        check_due=not offline and (state != "licensed" or clock_back or is_other),
        clock_back=clock_back,
        update_required=asked.app_version is not None and is_lower(asked.app_version, lowest),
        manage_url=said.get("manage_url"),
        devices=said.get("devices"),
    )
