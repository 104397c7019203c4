"""A client of the account service for one product on one device."""

import dataclasses
import json
import os
import platform as machine
import random
import secrets
import threading
import time
import urllib.parse
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import license as rules
from .calls import Answer, ApiError, Json, Ways, broken, error_of, fields, good, send, text
from .install import Download, plan_of
from .license import Asked, Clock, Code, State, Status
from .store import Memory, MemoryStore, Store

CHECK, TRIAL, LEASE = "/api/license/check", "/api/license/trial", "/api/license/lease"

#: Seconds between two looks at the clocks, so that a lease is renewed soon after the machine slept.
LOOK = 10

#: Seconds between two attempts to get back a lease that has ended, and at most between those to renew one.
AFTER_LOSS, LONGEST_RETRY = 60, 300

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"

SYSTEMS = {"Darwin": "darwin", "Linux": "linux", "Windows": "windows"}
PROCESSORS = {"x86_64": "amd64", "amd64": "amd64", "arm64": "arm64", "aarch64": "arm64"}


@dataclass(frozen=True)
class Released:
    """`released` is True if the device held a slot, which is now free for another device."""

    released: bool
    message: Optional[str]


@dataclass(frozen=True)
class SignedIn:
    """`replaced_key_prefix` names the key that this sign-in replaced, because all were in use."""

    device_id: str
    key_prefix: str
    replaced_key_prefix: Optional[str]


def this_platform() -> Optional[str]:
    """This machine's platform, such as `linux-amd64`; None if the service does not know it."""
    system, processor = SYSTEMS.get(machine.system()), PROCESSORS.get(machine.machine().lower())
    return f"{system}-{processor}" if system and processor else None


@dataclass
class _Asking:
    """A call in progress, whose status concurrent callers also receive."""

    by: int
    done: threading.Event
    said: Optional[Status] = None


@dataclass(frozen=True)
class _Said:
    """The server's answer to a check."""

    status: int
    refusal: Optional[Json]
    keys: List[Json]
    claims: Optional[Json] = None
    token: Optional[str] = None
    continuation: Optional[str] = None
    is_fresh: bool = False
    lease: Optional[Json] = None

    def demand_valid(self) -> None:
        if self.refusal:
            code = self.refusal["code"].value
            raise ApiError(code, self.refusal["message"] or code, self.status)


class Client:
    """Checks the license of one product on one device. May be used from several threads.

    `api` is the address of the API host; `keys` are the shop's public keys (JWK), and no other key is trusted: without
    them, anybody who can edit the files can sign a license. `key` is an API or license key, in place of the one from
    `sign_in` or `activate`; `device_id` the id of this installation (at most 255 characters), by default a random one
    that is remembered; `device_name` its name on pages, by default that of this host; `issuer` the `iss` of tokens, by
    default `api`; `language` is `en` or `ko`. A call takes at most `timeout` seconds in total, and a download for its
    next bytes. `log` receives one line for each request and for each error of the store.
    """

    def __init__(
        self,
        api: str,
        product_id: int,
        *,
        store: Optional[Store] = None,
        app_version: Optional[str] = None,
        key: Optional[str] = None,
        device_id: Optional[str] = None,
        device_name: Optional[str] = None,
        keys: Optional[List[Json]] = None,
        issuer: Optional[str] = None,
        language: Optional[str] = None,
        timeout: float = 15,
        log: Optional[Callable[[str], Any]] = None,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        self._api = api.rstrip("/")
        self._product_id = int(product_id)
        self._path = f"/api/products/{self._product_id}"
        # Systems do not accept a timeout of more than a year.
        self._ways = Ways(min(timeout, 3e7), sleep, log)
        self._memory = Memory(MemoryStore() if store is None else store, self._api, self._product_id, self._ways)
        self._app_version = None if app_version is None else str(app_version)
        self._given_key = key
        self._given_device_id = device_id
        self._device_name = text(machine.node() if device_name is None else device_name)
        self._keys = None if keys is None else rules.usable(keys)
        self._issuer = issuer or self._api
        self._language = language
        self._now_of = now
        #: The clock, the stored text from which it came, and the seconds of the monotonic clock that it includes.
        self._clock: Tuple[Optional[Clock], Optional[str]] = (None, None)
        self._began, self._counted = time.monotonic(), 0
        self._asking: Dict[str, _Asking] = {}
        self._lock, self._turn, self._remembering = threading.Lock(), threading.RLock(), threading.RLock()
        #: The lease that this client took, with the answer to remember.
        self._lease: Optional[Json] = None
        #: Ends the thread that renews the lease.
        self._stop = threading.Event()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def status(self) -> Status:
        """Returns the remembered license. Uses no network, and never raises."""
        with self._remembering:
            asked = self._asked()
            answer, signed = self._remembered(asked)
            return rules.judge(answer, signed, self._tick(signed.moment()), asked)

    def check(self) -> Status:
        """Asks the server, remembers its answer, and returns the status. Takes a slot if this device has none.

        Never raises: without an answer, the status is the previous one, with `error`.
        """
        return self._once("check", lambda: self._ask_again(self._ways.ends()))

    def activate(self, key: Optional[str] = None) -> Status:
        """Checks with the key that a buyer pasted, and remembers it once the server accepts it. Without a key, checks
        again.

        A refusal never replaces a license that may run. Never raises: the status is then the previous one, with
        `error`.
        """
        cleaned = None if key is None else rules.key_of(key)

        def work() -> None:
            if key is not None and cleaned is None:
                raise ApiError("not_a_key", "This is not a license key; paste the whole key.")
            ends = self._ways.ends()
            refusal = rules.read_answer(self._memory.get("answer"))["refusal"]
            if refusal and refusal["code"] == Code.DEVICE_SHARED:
                # The server has seen two machines with this id.
                self._memory.forget_device()
            if cleaned is None:
                return self._ask_again(ends)
            may_run = self.status().may_run
            said = self._ask(ends, cleaned)
            if may_run:
                said.demand_valid()
            self._memory.set("key", json.dumps({"key": cleaned}))
            self._take(said)
            self._renew_policy(ends, cleaned)

        return self._once(f"activate {cleaned if key is None or cleaned else ''}", work)

    def start_trial(self) -> Status:
        """Starts the trial of this device, which has one. Does nothing while a license runs. Never raises."""

        def work() -> None:
            status = self.status()
            if not status.may_run or status.state == State.TRIAL:
                self._ask_trial(self._ways.ends())

        return self._once("trial", work)

    def lease(
        self, borrow_days: Optional[int] = None, *, on_lost: Optional[Callable[[Status], Any]] = None
    ) -> Status:
        """Takes a slot of a floating license, and renews it in the background until `close`, `release` or a refusal.

        Without an answer, it tries again, also after the slot has ended. `check` and `activate` take a slot too, but
        only this keeps it. `borrow_days` holds the slot for so many days, in which the application may run offline.
        `on_lost` is called with the status, in the background, each time that a renewal ends with an application that
        may not run. Never raises.
        """

        def work() -> None:
            ends = self._ways.ends()
            self._renew(ends, borrow_days)
            self._renew_policy(ends, self._key())

        status = self._once(f"lease {borrow_days}", work)
        with self._lock:
            self._stop.set()
            self._stop = stop = threading.Event()
        if status.lease_id is not None:
            threading.Thread(target=self._keep, args=(status, stop, on_lost), daemon=True).start()
        return status

    def close(self) -> Status:
        """Ends the renewal, and gives the slot of a lease back, unless it is borrowed. Call this at exit, or use the
        client in a `with` statement. Never raises."""
        self._stop.set()

        def work() -> None:
            lease, kept = self._lease, rules.read_answer(self._memory.get("answer"))
            # A token of another process is one that renewed this lease since, and uses it.
            if lease and not lease.get("borrowed_until") and kept["token"] == lease["answer"]["token"]:
                self._give_back(time.monotonic() + min(self._ways.timeout, 5), lease["lease_id"])

        return self._once("close", work)

    def release(self) -> Released:
        """Releases this device's slot, unless it is borrowed, and forgets the license. Signs out a device that signed in
        by code."""
        with self._turn:
            ends, message, released = self._ways.ends(), None, False
            signed_in = self._given_key is None and self._kept_key().get("signed_in") is True
            lease_id = self._lease["lease_id"] if self._lease else self.status().lease_id
            if lease_id is not None:
                self._stop.set()
                released = self._give_back(ends, lease_id)
                if not signed_in:
                    return Released(released, None)  # A borrowed slot stays taken, so its token is kept.
            if signed_in:
                answer = self._request(ends, "POST", "/api/cli/device/logout", self._key())
                released = released or (answer.headers.get("X-Released-Slots") or "").strip("0").isdigit()
                self._memory.set("key", None)
            else:
                path, body = f"{self._path}/license/device/revoke", {"device_id": self._device_id()}
                said = self._request(ends, "POST", path, self._key(), body).json()
                released, message = isinstance(said.get("released_device_id"), str), text(said.get("message"))
            self._memory.set("answer", None)
            return Released(released, message)

    def sign_in(
        self,
        client_id: str,
        on_code: Callable[[Json], Any],
        *,
        device_name: Optional[str] = None,
        account: Optional[str] = None,
        cancel: Optional[threading.Event] = None,
    ) -> SignedIn:
        """Signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key.

        `on_code` receives `user_code`, `verification_uri`, `verification_uri_complete` and `expires_in` (seconds).
        """
        host = (account or self._account_host()).rstrip("/")
        name = self._device_name if device_name is None else text(device_name)
        device = {"device_id": self._device_id(), **({"device_name": name[:100]} if name else {})}
        started = self._form(f"{host}/oauth/device_authorization", {"client_id": client_id, **device})
        interval, left = started.get("interval", 5), started.get("expires_in", 0)
        is_whole = all(text(started.get(one)) for one in ("device_code", "user_code", "verification_uri"))
        if not is_whole or not rules.is_number(interval) or not rules.is_number(left):
            raise broken(200)
        on_code(started)
        grant = {"client_id": client_id, "device_code": started["device_code"], "grant_type": DEVICE_GRANT}
        interval = max(interval, 1)
        while left > 0:
            cancel.wait(interval) if cancel else self._ways.sleep(interval)
            if cancel and cancel.is_set():
                raise ApiError("cancelled", "The sign-in was cancelled.")
            left -= interval
            try:
                granted = self._form(f"{host}/oauth/token", grant)
            except ApiError as error:
                if error.code == "slow_down":
                    interval += 5
                # Until the code expires, the buyer may still be typing, and the network may return.
                elif error.status is not None and error.status < 429 and error.code != "authorization_pending":
                    raise
                continue
            device_id, key, prefix = (text(granted.get(one)) for one in ("device_id", "access_token", "key_prefix"))
            if device_id is None or key is None or prefix is None:
                raise broken(200)
            self._memory.set("device", device_id)
            self._memory.set("key", json.dumps({"key": key, "signed_in": True}))
            return SignedIn(device_id, prefix, text(granted.get("replaced_key_prefix")))
        raise ApiError("expired_token", "The code has expired; sign in again.", 400)

    def policy(self) -> Optional[Json]:
        """The signed policy, which is fetched and remembered; None if the shop signs none."""
        return self._policy(self._ways.ends(), self._key())

    def updates(self, *, channel: Optional[str] = None, platform: Optional[str] = None) -> Json:
        """The newest release for this device (ProductUpdateApiData of the API)."""
        query = self._query(channel=channel, platform=platform, version=self._app_version)
        return fields(self._get(f"{self._path}/updates{query}").get("update"))

    def install(
        self,
        to: str,
        *,
        channel: Optional[str] = None,
        platform: Optional[str] = None,
        release: Optional[int] = None,
        on_progress: Optional[Callable[[int, int], Any]] = None,
        record: bool = True,
        cancel: Optional[threading.Event] = None,
    ) -> Json:
        """Downloads a release to the path `to`, resumes an interrupted download, and moves the file into place once its
        checksum is right. `on_progress` receives the number of bytes so far and in total; setting `cancel` ends it.
        Returns the plan (ProductInstallData)."""
        query = self._query(channel=channel, platform=platform, release=release)

        def ask() -> Json:
            return plan_of(fields(self._get(f"{self._path}/install{query}").get("data")))

        plan = ask()
        Download(self._ways, plan, ask, on_progress, cancel).to(os.fspath(to))
        if record:
            try:
                self._record_install(plan)
            except ApiError:
                # The file is installed; a key without the ability to record it must not fail the call.
                pass
        return plan

    def offline_request(self) -> str:
        """The file with which the buyer requests a license for a machine that never goes online."""
        request = {"product_id": self._product_id, "device_id": self._device_id(), "perpetual": True}
        return json.dumps({**request, **({"app_version": self._app_version} if self._app_version else {})})

    def activate_offline(self, file: str) -> Status:
        """Reads the answer to `offline_request`. Its keys must be pinned. Never raises."""

        def work() -> None:
            asked = dataclasses.replace(self._asked(), device_id=self._device_id())
            # If the file's own keys counted, anybody could sign one.
            keys = self._trust()["keys"] if asked.keys is None else asked.keys
            if not keys:
                raise ApiError("no_keys", "Without a network, the application must bring the keys of its shop.")
            token = text(rules.parsed(str(file)).get("token"))
            claims = rules.claims_of(token, keys, asked)
            if not claims:
                raise ApiError("wrong_file", "The file is no answer to a request of this device.")
            self._take(_Said(200, None, keys, claims, token))
            self._stop.set()  # The file takes the place of a lease, whose renewal would take a slot again.

        return self._once(f"offline {file}", work)

    def _once(self, name: str, work: Callable[[], None]) -> Status:
        """Shares the work between concurrent calls, runs it after earlier work, and returns the status."""
        with self._lock:
            present = self._asking.get(name)
            own = present or self._asking.setdefault(name, _Asking(threading.get_ident(), threading.Event()))
        if present:
            if present.by == threading.get_ident():
                return self.status()  # The application's log asks within a call.
            present.done.wait()
            return present.said or self._once(name, work)
        try:
            with self._turn:
                error, self._memory.fault = None, None
                try:
                    work()
                except ApiError as failed:
                    error = failed
                except Exception as failed:
                    error = ApiError("broken_answer", f"{type(failed).__name__}: {failed}")
                status = self.status()
                if self._memory.fault is not None and (error is None or error.code == "no_key"):
                    error = ApiError("not_remembered", self._memory.fault)
                own.said = dataclasses.replace(status, error=error)
                return own.said
        finally:
            with self._lock:
                del self._asking[name]
            own.done.set()

    def _remembered(self, asked: Asked) -> Tuple[Json, rules.Signed]:
        answer = rules.read_answer(self._memory.get("answer"))
        lease = self._lease
        if answer["refusal"] is None and answer["token"] is None and lease:
            # Another process gave the shared lease back; this one takes a slot again when it renews.
            answer = lease["answer"]
        return answer, rules.signed_of(answer, self._trust(), asked)

    def _trust(self) -> Json:
        return rules.read_trust(self._memory.get("trust"))

    def _tick(self, signed: int) -> Clock:
        now, kept = self._now(), self._memory.get("clock")
        clock, written = self._clock
        before = rules.read_clock(kept)
        passed = int(time.monotonic() - self._began) - self._counted
        self._counted += passed
        # If another process wrote the clock, it has already counted the time since.
        is_ours = clock is not None and written == kept
        clock = rules.ticked(clock if is_ours else before, now, passed if is_ours else 0, signed)
        # Writing at each call would wear the disk; a minute is precise enough for the rules of the clock.
        if before is None or clock.time - before.time >= 60 or now < before.seen:
            kept = self._keep_clock(clock)
        self._clock = (clock, kept)
        return clock

    def _keep_clock(self, clock: Clock) -> str:
        kept = json.dumps(dataclasses.asdict(clock))
        self._memory.set("clock", kept)
        return kept

    def _ask_again(self, ends: float) -> None:
        self._device_id()  # A disk that keeps nothing is told before a missing key.
        status = self.status()
        if self._lease or status.lease_id is not None:
            return self._renew(ends)
        is_trial = status.state == State.TRIAL or status.code == Code.TRIAL_ENDED
        try:
            key = self._key()
        except ApiError:
            if not is_trial:
                raise
            return self._ask_trial(ends)
        said = self._ask(ends, key)
        if is_trial and said.refusal and said.refusal["code"] == Code.NOT_ENTITLED:
            return self._ask_trial(ends)
        if is_trial and status.may_run:
            said.demand_valid()
        self._take(said, key)
        self._renew_policy(ends, key)

    def _ask_trial(self, ends: float) -> None:
        """Starts the trial of this device, or asks for it again."""
        key = self._kept_key().get("key")
        said = self._ask(ends, None, TRIAL)
        if self._kept_key().get("key") == key:
            self._take(said)

    def _renew(self, ends: float, borrow_days: Optional[int] = None) -> None:
        """Takes, renews or borrows a lease."""
        self._device_id()
        key, status = self._key(), self.status()
        # A remembered lease that has ended is not renewed: machines that were cloned from one image would share it.
        lease_id = self._lease["lease_id"] if self._lease else status.lease_id
        said = self._ask(ends, key, LEASE, lease_id=lease_id, borrow_days=borrow_days)
        if status.state == State.TRIAL:
            said.demand_valid()
        self._take(said, key)

    def _give_back(self, ends: float, lease_id: str) -> bool:
        body = {"product_id": self._product_id, "lease_id": lease_id}
        returned = self._request(ends, "POST", f"{LEASE}/return", self._key(), body).json().get("returned") is True
        self._lease = None
        if returned:
            self._memory.set("answer", None)
        return returned

    def _keep(self, status: Status, stop: threading.Event, on_lost: Optional[Callable[[Status], Any]]) -> None:
        """Renews the lease until it is given back or refused."""
        while True:
            has_failed = status.error is not None and status.error.code != "not_remembered"
            may_run, lease, clock = status.may_run, self._lease or {}, self._clock[0]
            if not may_run and not has_failed:
                return
            now = clock.time if clock else self._now()
            left = rules.seconds(status.runs_until) - now
            due = (rules.seconds(text(lease.get("renew_after"))) or now + left / 2) - now
            if has_failed:
                due = min(left / 4, LONGEST_RETRY) if may_run else AFTER_LOSS
            # Machines that were started together spread their requests.
            if self._is_stopped(stop, max(due * random.uniform(0.9, 1), 1)):
                return
            # A release that ran meanwhile must not be undone.
            status = self._once("renewal", lambda: None if stop.is_set() else self._renew(self._ways.ends()))
            if may_run and not status.may_run and on_lost and not stop.is_set():
                try:
                    on_lost(status)
                except Exception as error:
                    self._ways.note(f"on_lost fails: {error}")

    def _is_stopped(self, stop: threading.Event, seconds: float) -> bool:
        """Waits some seconds of either clock: the monotonic one may stand still while a machine sleeps."""
        began, seen = time.monotonic(), self._now()
        while not stop.is_set():
            rest = seconds - max(time.monotonic() - began, self._now() - seen)
            if rest <= 0:
                return False
            stop.wait(min(rest, LOOK))
        return True

    def _ask(self, ends: float, key: Optional[str], path: str = CHECK, **more: Any) -> _Said:
        """Asks the server with this key, if one is given, and reads its answer."""
        asked = dataclasses.replace(self._asked(), device_id=self._device_id())
        nonce = secrets.token_urlsafe(16)
        body = {
            "product_id": self._product_id,
            "device_id": asked.device_id,
            "nonce": nonce,
            "app_version": self._app_version,
            "device_name": (self._device_name or "")[:100] or None,
            "platform": this_platform(),
            **more,
        }
        if path == CHECK:
            # Earlier clients refuse a token without an end, so the server must know.
            kept = rules.read_answer(self._memory.shared("answer"))
            body.update(perpetual=True, continuation=kept["continuation"])
        given = {name: value for name, value in body.items() if value is not None}
        answer = self._request(ends, "POST", path, key, given, also=409)
        said = answer.json()
        if path == CHECK and said.get("valid") is True and said.get("token", "") is None:
            return self._ask(ends, key, LEASE)  # A floating license has its token by a lease.
        trusted, refusal = rules.refusal_of(answer.status, said, self._product_id)
        if not trusted:
            raise error_of(answer) if answer.status == 409 else broken(answer.status)
        next_one, known = text(said.get("continuation")), self._trust()["keys"]
        if refusal:
            return _Said(answer.status, refusal, known, continuation=next_one)
        token = text(said.get("token"))
        keys, claims = self._verified(ends, known, lambda kept: rules.claims_of(token, kept, asked))
        lease = fields(said.get("lease"))
        return _Said(200, None, keys, claims, token, next_one, claims.get("nonce") == nonce, lease)

    def _take(self, said: _Said, key: Optional[str] = None) -> None:
        """Remembers an answer, unless another process has replaced the key that asked for it."""
        if key not in (None, self._given_key, self._kept_key().get("key")):
            return
        answer = {one: getattr(said, one) for one in ("token", "refusal", "continuation")}
        answer["app_version"] = self._app_version
        with self._remembering:
            lease = said.lease or {}
            self._lease = {**lease, "answer": answer} if text(lease.get("lease_id")) else None
            self._memory.set("answer", json.dumps(answer))
            self._keep_trust(said.keys)
            if said.claims and said.is_fresh:
                self._keep_clock(Clock(int(said.claims["iat"]), self._now()))

    def _keep_trust(self, keys: List[Json], policy: Optional[str] = None) -> None:
        """Remembers keys and a policy if they have changed."""
        with self._remembering:
            before = self._memory.get("trust")
            trust = rules.read_trust(before)
            keys = keys if self._keys is None else trust["keys"]
            after = json.dumps({"keys": keys, "policy": policy or trust["policy"]})
            if after != before:
                self._memory.set("trust", after)

    def _renew_policy(self, ends: float, key: str) -> None:
        try:
            self._policy(ends, key)
        except ApiError:
            pass

    def _policy(self, ends: float, key: str) -> Optional[Json]:
        signature = text(self._request(ends, "GET", "/api/client-config", key).json().get("signature"))
        if signature is None:
            return None
        trust = self._trust()
        keys, policy = self._verified(ends, trust["keys"], lambda known: rules.policy_of(signature, known))
        before = rules.policy_of(trust["policy"], keys)
        later = rules.is_later(before, policy)
        self._keep_trust(keys, signature if later else None)
        return policy if later else before

    def _verified(
        self, ends: float, known: List[Json], read: Callable[[List[Json]], Optional[Json]]
    ) -> Tuple[List[Json], Json]:
        """The claims of a signed text, and the keys that verified it: the remembered ones, or the server's if those do
        not verify it. Pinned keys exclude all others."""
        keys = known if self._keys is None else self._keys
        said = read(keys)
        if not said and self._keys is None:
            keys = rules.usable(self._request(ends, "GET", "/.well-known/jwks.json", None).json().get("keys"))
            said = read(keys)
        if not said:
            raise broken(200)
        return keys, said

    def _record_install(self, plan: Json) -> None:
        body = {one: plan.get(one) for one in ("product_id", "version", "release_id")}
        body.update(artifact_sha256=plan["sha256"], installed_at=rules.iso(self._now()))
        # The same key for each attempt, so that a repeated call records the install only once.
        once = {"Idempotency-Key": str(uuid.uuid4())}
        self._request(self._ways.ends(), "POST", "/api/device/installs", self._key(), body, more=once)

    def _account_host(self) -> str:
        said = self._request(self._ways.ends(), "GET", "/.well-known/oauth-protected-resource", None).json()
        hosts = said.get("authorization_servers")
        if not isinstance(hosts, list) or not hosts or not isinstance(hosts[0], str):
            raise broken(200)
        return hosts[0]

    def _query(self, *, platform: Optional[str], **more: Any) -> str:
        given = {"platform": platform or this_platform(), **more}
        named = {name: value for name, value in given.items() if value is not None}
        return f"?{urllib.parse.urlencode(named)}" if named else ""

    def _request(
        self,
        ends: float,
        method: str,
        path: str,
        key: Optional[str],
        body: Optional[Json] = None,
        *,
        also: int = 200,
        more: Optional[Dict[str, str]] = None,
    ) -> Answer:
        """The answer if its status is 200 to 299, or `also`. Raises the error of any other."""
        headers = {**(more or {}), **({"Accept-Language": self._language} if self._language else {})}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        return good(send(self._ways, ends, self._api + path, headers, method, data), also)

    def _get(self, path: str) -> Json:
        return self._request(self._ways.ends(), "GET", path, self._key()).json()

    def _form(self, url: str, form: Dict[str, str]) -> Json:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        data = urllib.parse.urlencode(form).encode()
        return good(send(self._ways, self._ways.ends(), url, kind, "POST", data)).json()

    def _now(self) -> int:
        """Seconds since 1970. A failing clock counts as standing still."""
        try:
            return int(min(max(self._now_of(), 0), rules.LAST))
        except Exception:
            return 0

    def _asked(self) -> Asked:
        """The parameters of a status, which creates no device id."""
        device_id = self._given_device_id or self._memory.device_of(self._known_device())
        return Asked(self._product_id, device_id or "", self._app_version, self._keys, self._issuer)

    def _known_device(self) -> Optional[str]:
        """The device id in a valid token."""
        _, signed = self._remembered(Asked(self._product_id, None, self._app_version, self._keys, self._issuer))
        return text((signed.claims or {}).get("device_id"))

    def _device_id(self) -> str:
        return self._given_device_id or self._memory.device(self._known_device())

    def _kept_key(self) -> Json:
        return rules.parsed(self._memory.get("key"))

    def _key(self) -> str:
        """The key, checked to be valid in a header."""
        key = self._given_key if self._given_key is not None else text(self._kept_key().get("key"))
        if not key:
            raise ApiError("no_key", "This device has no license key; paste it, or sign in.")
        if rules.key_of(key) != key:
            raise ApiError("not_a_key", "The key of this device is not one; paste it again.")
        return key
