"""A client of the account service for one product on one device."""

import dataclasses
import hashlib
import json
import os
import platform as machine
import threading
import time
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import license as rules
from .calls import Answer, ApiError, broken, error_of, fields, good, open_url, send
from .license import Json, Status
from .store import MemoryStore, Store

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"

#: A download that broke off goes on this often without a further byte, before it gives up.
ATTEMPTS = 4

SYSTEMS = {"Darwin": "darwin", "Linux": "linux", "Windows": "windows"}
PROCESSORS = {"x86_64": "amd64", "amd64": "amd64", "arm64": "arm64", "aarch64": "arm64"}


@dataclass(frozen=True)
class Released:
    """`released` is True where the device held a slot, which is free for another device now."""

    released: bool
    message: Optional[str]


@dataclass(frozen=True)
class SignedIn:
    """`replaced_key_prefix` names the key that this sign-in ended, because all were in use."""

    device_id: str
    key_prefix: str
    replaced_key_prefix: Optional[str]


def this_platform() -> Optional[str]:
    """This machine's platform, such as `linux-amd64`; None where the service knows none for it."""
    system, processor = SYSTEMS.get(machine.system()), PROCESSORS.get(machine.machine().lower())
    return f"{system}-{processor}" if system and processor else None


def empty(file: Any) -> None:
    file.truncate(0)
    file.seek(0)


class Client:
    """Checks the license of one product on one device. May be used from several threads.

    `api` is the address of the API host; `key` an API or license key, in place of that of `sign_in` or `activate`;
    `device_id` the id of this installation (at most 255 characters), a random one that is remembered by default;
    `keys` pinned public keys (JWK), beside which no other key is trusted; `language` is `en` or `ko`. A call waits at
    most `timeout` seconds for an answer, and `max_wait` seconds in all before repetitions.
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
        keys: Optional[List[Json]] = None,
        language: Optional[str] = None,
        max_wait: float = 10,
        timeout: float = 15,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        self._api = api.rstrip("/")
        self._product_id = product_id
        self._store: Store = MemoryStore() if store is None else store
        self._app_version = app_version
        self._key = key
        self._given_device_id = device_id
        self._pinned = keys
        self._language = language
        self._max_wait = max_wait
        self._timeout = timeout
        self._clock = now
        self._sleep = sleep
        self._checking = threading.Lock()

    def status(self) -> Status:
        """The license from what is remembered. Uses no network, and never raises."""
        now = self._now()
        before = rules.read_clock(self._kept("clock"))
        clock = rules.ticked(before, now)
        # A write for each question would wear the disk; a minute is finer than the clock is judged.
        if before["last"] is None or abs(now - before["last"]) >= 60:
            try:
                self._keep("clock", clock)
            except OSError:
                pass
        try:
            device_id = self._device_id()
        except OSError:
            device_id = ""
        answer, trust = rules.read_answer(self._kept("answer")), rules.read_trust(self._kept("trust"))
        return rules.judge(answer, clock, trust, self._asked(device_id), now)

    def check(self) -> Status:
        """Asks the server, remembers its answer, and gives the status. Takes a device slot if this device has none.

        Never raises: without an answer, the status is the one from before, with `error`.
        """
        with self._checking:
            return self._with_error(self._ask_server)

    def activate(self, key: Optional[str] = None) -> Status:
        """Remembers a key, if one is given, and checks. A key that is refused with 401 is not kept. Never raises."""
        if key is None:
            return self.check()
        before = self._read("key")
        try:
            self._store.set("key", json.dumps({"key": key.strip()}))
        except OSError as error:
            return dataclasses.replace(self.status(), error=ApiError("not_remembered", str(error)))
        checked = self.check()
        if checked.error and checked.error.status == 401:
            self._store.set("key", before)
        return checked

    def release(self) -> Released:
        """Gives this device's slot back, and forgets the license. Signs out a device that signed in by code."""
        message = None
        if self._signed_in()[1]:
            answer = self._call("POST", "/api/cli/device/logout")
            released = int(answer.headers.get("X-Released-Slots") or 0) > 0
            self._store.set("key", None)
        else:
            path = f"/api/products/{self._product_id}/license/device/revoke"
            said = self._json("POST", path, {"device_id": self._device_id()})
            released, message = isinstance(said.get("released_device_id"), str), said.get("message")
        self._keep("answer", None)
        return Released(released, message)

    def sign_in(
        self,
        client_id: str,
        on_code: Callable[[Json], Any],
        *,
        device_name: Optional[str] = None,
        account: Optional[str] = None,
    ) -> SignedIn:
        """Signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key.

        `on_code` gets `user_code`, `verification_uri`, `verification_uri_complete` and `expires_in` (seconds).
        """
        host = (account or self._account_host()).rstrip("/")
        device = {"device_id": self._device_id(), **({"device_name": device_name} if device_name else {})}
        started = self._form(f"{host}/oauth/device_authorization", {"client_id": client_id, **device})
        on_code(started)
        interval, left = started.get("interval", 5), started["expires_in"]
        grant = {"client_id": client_id, "device_code": started["device_code"], "grant_type": DEVICE_GRANT}
        while left > 0:
            self._sleep(interval)
            left -= interval
            try:
                granted = self._form(f"{host}/oauth/token", grant)
            except ApiError as error:
                if error.code == "slow_down":
                    interval += 5
                # The buyer may still be typing, and the network may come back, until the code ends.
                elif error.status is not None and error.status < 429 and error.code != "authorization_pending":
                    raise
                continue
            self._store.set("device", granted["device_id"])
            self._store.set("key", json.dumps({"key": granted["access_token"], "signed_in": True}))
            return SignedIn(granted["device_id"], granted["key_prefix"], granted.get("replaced_key_prefix"))
        raise ApiError("expired_token", "The code has expired; sign in again.", 400)

    def policy(self) -> Optional[Json]:
        """The signed policy, fetched now and remembered; None where the shop signs none."""
        trust = rules.read_trust(self._kept("trust"))
        signature = self._json("GET", "/api/client-config").get("signature")
        if not isinstance(signature, str):
            return None
        keys, policy = self._verified(trust, lambda known: rules.policy_of(signature, known))
        before = rules.policy_of(trust["policy"], keys)
        later = rules.is_later(before, policy)
        self._keep("trust", {"keys": keys, "policy": signature if later else trust["policy"]})
        return policy if later else before

    def updates(self, *, channel: Optional[str] = None, platform: Optional[str] = None) -> Json:
        """The newest release for this device (ProductUpdateApiData of the API)."""
        query = self._query(channel=channel, platform=platform, version=self._app_version)
        return fields(self._json("GET", f"/api/products/{self._product_id}/updates{query}").get("update"))

    def install(
        self,
        to: str,
        *,
        channel: Optional[str] = None,
        platform: Optional[str] = None,
        release: Optional[int] = None,
        on_progress: Optional[Callable[[int, int], Any]] = None,
        record: bool = True,
    ) -> Json:
        """Downloads a release to the path `to`, resumes where a download broke off, and puts the file in place once its
        sum is right. `on_progress` gets the bytes received and those in all. Gives the plan (ProductInstallData).
        """
        query = self._query(channel=channel, platform=platform, release=release)

        def ask() -> Json:
            return fields(self._json("GET", f"/api/products/{self._product_id}/install{query}").get("data"))

        plan = ask()
        self._download(plan, ask, to, on_progress or (lambda _received, _total: None))
        if record:
            try:
                self._record_install(plan)
            except ApiError:
                # The file is in place; a key that may not record it is no reason to fail.
                pass
        return plan

    def offline_request(self) -> str:
        """The file by which the buyer asks for a license for a machine that never goes online."""
        version = {"app_version": self._app_version} if self._app_version else {}
        return json.dumps({"product_id": self._product_id, "device_id": self._device_id(), **version})

    def activate_offline(self, file: str) -> Status:
        """Takes the answer to `offline_request`. Its keys must be pinned. Never raises."""

        def take() -> None:
            said = rules.parsed(file)
            # Keys that came with the file would let anybody sign one.
            known = rules.read_trust(self._kept("trust"))["keys"] if self._pinned is None else self._pinned
            if not known:
                raise ApiError("no_keys", "Without a network, the application must bring the keys of its shop.")
            token = rules.text(said.get("token"))
            if not rules.claims_of(token, known, self._product_id, self._device_id()):
                raise ApiError("wrong_file", "The file is no answer to a request of this device.")
            self._remember({"token": token, "checked_at": rules.text(said.get("checked_at"))})

        return self._with_error(take)

    def _with_error(self, work: Callable[[], None]) -> Status:
        error = None
        try:
            work()
        except ApiError as failed:
            error = failed
        except OSError as failed:
            error = ApiError("not_remembered", str(failed))
        return dataclasses.replace(self.status(), error=error)

    def _ask_server(self) -> None:
        device_id = self._device_id()
        version = {} if self._app_version is None else {"app_version": self._app_version}
        body = {"product_id": self._product_id, "device_id": device_id, **version}
        answer = self._request("POST", "/api/license/check", body)
        if answer.status not in (200, 409):
            raise error_of(answer)
        said = fields(answer.json())
        trusted, refusal = rules.refusal_of(answer.status, said, self._product_id)
        if not trusted:
            raise broken(answer.status)
        token = None if refusal else rules.text(said.get("token"))
        if token is not None:
            trust = rules.read_trust(self._kept("trust"))
            product_id = self._product_id
            keys, _ = self._verified(trust, lambda known: rules.claims_of(token, known, product_id, device_id))
            self._keep("trust", {**trust, "keys": keys})
        self._remember({"refusal": refusal, "token": token, "checked_at": rules.text(said.get("checked_at"))})
        try:
            self.policy()
        except ApiError:
            pass

    def _remember(self, after: Json) -> None:
        now = self._now()
        before = rules.read_answer(self._kept("answer"))
        self._keep("answer", rules.answered(before, after, self._app_version, now))
        self._keep("clock", {"last": now, "backs": 0})

    def _verified(self, trust: Json, read: Callable[[List[Json]], Optional[Json]]) -> Tuple[List[Json], Json]:
        """What a signed text says, and the keys by which it does: those that are remembered, or the server's where they
        don't do. Pinned keys stand alone."""
        known = trust["keys"] if self._pinned is None else self._pinned
        said = read(known)
        if said:
            return known, said
        keys = self._json("GET", "/.well-known/jwks.json").get("keys") if self._pinned is None else None
        said = read(keys) if isinstance(keys, list) else None
        if not said or not isinstance(keys, list):
            raise broken(200)
        return keys, said

    def _download(self, plan: Json, ask: Callable[[], Json], to: str, on_progress: Callable[[int, int], Any]) -> None:
        size, sha256 = plan["size"], plan["sha256"].lower()
        os.makedirs(os.path.dirname(os.path.abspath(to)), exist_ok=True)
        # The name has the sum, so that a download goes on with its own bytes alone.
        part = f"{to}.{sha256[:16]}.part"
        current, failed = plan, 0
        with open(part, "ab") as file:
            if file.tell() > size:
                empty(file)
            on_progress(file.tell(), size)
            while file.tell() < size:
                before = file.tell()
                try:
                    self._take_part(current, file, size, on_progress)
                    if file.tell() < size:
                        raise ApiError("unreachable", "The download broke off.")
                except (ApiError, OSError, HTTPException) as error:
                    why = error if isinstance(error, ApiError) else ApiError("unreachable", str(error))
                    failed = 1 if file.tell() > before else failed + 1
                    wait = failed if why.retry_after is None else why.retry_after
                    if failed == ATTEMPTS or wait > max(self._max_wait, failed):
                        raise why from None
                    self._sleep(wait)
                    if why.status is not None and why.status < 429:
                        current = ask()
                        if current["sha256"].lower() != sha256:
                            raise ApiError("release_changed", "A newer release came out; install again.") from None
        digest = hashlib.sha256()
        with open(part, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
        if digest.hexdigest() != sha256:
            os.remove(part)
            raise ApiError("wrong_sum", "The file that came is not the one of the plan.")
        os.replace(part, to)

    def _take_part(self, plan: Json, file: Any, size: int, on_progress: Callable[[int, int], Any]) -> None:
        """Appends what comes of a file from the end of `file` on. The link is signed: it gets no key."""
        at = file.tell()
        headers = {"Range": f"bytes={at}-"} if at > 0 else {}
        with open_url(urllib.request.Request(plan["download_url"], headers=headers), self._timeout) as answer:
            if not 200 <= answer.status < 300:
                raise error_of(Answer(answer.status, answer.headers, answer.read(65_536)))
            is_part = answer.status == 206 and (answer.headers.get("Content-Range") or "").startswith(f"bytes {at}-")
            if at > 0 and not is_part:
                empty(file)
            # More than the plan says is another file, whose sum is wrong.
            while file.tell() < size:
                block = answer.read(min(1 << 16, size - file.tell()))
                if not block:
                    return
                file.write(block)
                on_progress(file.tell(), size)

    def _record_install(self, plan: Json) -> None:
        body = {
            "product_id": plan["product_id"],
            "version": plan["version"],
            "release_id": plan["release_id"],
            "artifact_sha256": plan["sha256"],
            "installed_at": rules.iso(self._now()),
        }
        # The same key for each attempt, so that a repeated call records nothing twice.
        self._call("POST", "/api/device/installs", body, **{"Idempotency-Key": str(uuid.uuid4())})

    def _account_host(self) -> str:
        return str(self._json("GET", "/.well-known/oauth-protected-resource")["authorization_servers"][0])

    def _query(self, *, platform: Optional[str], **more: Any) -> str:
        given = {"platform": platform or this_platform(), **more}
        named = {name: value for name, value in given.items() if value is not None}
        return f"?{urllib.parse.urlencode(named)}" if named else ""

    def _request(self, method: str, path: str, body: Optional[Json] = None, **more: str) -> Answer:
        headers = {"Accept-Language": self._language} if self._language else {}
        if not path.startswith("/.well-known/"):
            key = self._signed_in()[0]
            if not key:
                raise ApiError("no_key", "This device has no key; sign in, or activate it with a license key.")
            headers["Authorization"] = f"Bearer {key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        return self._send(method, self._api + path, {**headers, **more}, data)

    def _send(self, method: str, url: str, headers: Dict[str, str], body: Optional[bytes]) -> Answer:
        return send(method, url, headers, body, timeout=self._timeout, max_wait=self._max_wait, sleep=self._sleep)

    def _call(self, method: str, path: str, body: Optional[Json] = None, **more: str) -> Answer:
        return good(self._request(method, path, body, **more))

    def _json(self, method: str, path: str, body: Optional[Json] = None) -> Json:
        return fields(self._call(method, path, body).json())

    def _form(self, url: str, form: Dict[str, str]) -> Json:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return fields(good(self._send("POST", url, kind, urllib.parse.urlencode(form).encode())).json())

    def _now(self) -> int:
        """Seconds since 1970."""
        return int(self._clock() // 1)

    def _asked(self, device_id: str) -> rules.Asked:
        return rules.Asked(self._product_id, device_id, self._app_version, self._pinned)

    def _signed_in(self) -> Tuple[Optional[str], bool]:
        if self._key is not None:
            return self._key, False
        kept = rules.parsed(self._read("key"))
        return rules.text(kept.get("key")), kept.get("signed_in") is True

    def _device_id(self) -> str:
        if self._given_device_id is not None:
            return self._given_device_id
        # A store that can't be read raises: another id would take another slot.
        kept = self._store.get("device")
        if kept:
            return kept
        made = str(uuid.uuid4())
        self._store.set("device", made)
        return made

    def _read(self, name: str) -> Optional[str]:
        """A text of the store; None where the store can't be read."""
        try:
            return self._store.get(name)
        except (OSError, ValueError):
            return None

    def _kept(self, name: str) -> Optional[str]:
        return self._read(f"{name}-{self._product_id}")

    def _keep(self, name: str, value: Optional[Json]) -> None:
        self._store.set(f"{name}-{self._product_id}", None if value is None else json.dumps(value))
