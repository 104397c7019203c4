"""HTTP calls with deadlines, and the errors of the API."""

import json
import queue
import re
import socket
import string
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPSConnection
from typing import Any, Callable, Dict, List, Optional, TypeVar

Json = Dict[str, Any]
T = TypeVar("T")

AGAIN = (429, 502, 503, 504)

#: The maximum size of an answer other than a download, in bytes, and the maximum nesting of its JSON.
MOST_BYTES = 1 << 20
MOST_LEVELS = 100

#: The maximum number of bytes of a download in memory.
PIECE = 1 << 16


class ApiError(Exception):
    """The reason why a call failed. `status` is None if there was no answer; `retry_after` is in seconds.

    `code` is the API's, or one of the client's own: `no_key`, `not_a_key`, `unreachable`, `broken_answer`,
    `not_remembered`, `no_keys`, `wrong_file`, `wrong_sum`, `not_written`, `release_changed`, `cancelled`,
    `expired_token`, `http_<status>`.
    """

    def __init__(self, code: str, message: str, status: Optional[int] = None, retry_after: Optional[int] = None):
        super().__init__(code, message, status, retry_after)
        self.code, self.message, self.status, self.retry_after = code, message, status, retry_after

    def __str__(self) -> str:
        return self.message


def fields(value: Any) -> Json:
    """The value if it is a JSON object; otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def text(value: Any) -> Optional[str]:
    """The value if it is a string, without lone surrogates, which files and terminals do not accept."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else None


def broken(status: Optional[int]) -> ApiError:
    return ApiError("broken_answer", "The answer is not one of the account service.", status)


def _no_json(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON.")


def parse(said: str) -> Any:
    """The value of a JSON text. Raises ValueError for any other text, and for one nested too deeply."""
    said = said[1:] if said.startswith("\ufeff") else said
    level = 0
    for bracket in re.findall(r"[\[\]{}]", re.sub(r'"[^"]*"?', "", re.sub(r"\\.", "", said, flags=re.S))):
        level += 1 if bracket in "[{" else -1
        if level > MOST_LEVELS:
            raise ValueError("This JSON is too deep.")
    return json.loads(said, parse_constant=_no_json)


@dataclass
class Answer:
    """An answer whose body has been read."""

    status: int
    headers: Any
    body: bytes

    def json(self) -> Json:
        """The JSON object in the body; raises `broken_answer` for anything else."""
        try:
            said = parse(self.body.decode(errors="replace"))
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise broken(self.status)
        return said


def retry_after(headers: Any) -> Optional[int]:
    seconds = headers.get("Retry-After") or ""
    return int(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else None


def error_of(answer: Answer) -> ApiError:
    """The error of an answer outside 200 to 299. OAuth has its message in `error_description`."""
    try:
        said = answer.json()
    except ApiError:
        said = {}
    code = text(said.get("error")) or text(said.get("code")) or f"http_{answer.status}"
    message = text(said.get("message")) or text(said.get("error_description"))
    if code == "invalid_api_key":  # The server's sentence is for those who make API keys.
        message = "This license key is unknown, expired or revoked; paste the whole key, or sign in again."
    message = message or f"The server answered {answer.status}."
    return ApiError(code, message, answer.status, retry_after(answer.headers))


@dataclass(frozen=True)
class Ways:
    """How the application lets a client wait and log."""

    timeout: float
    sleep: Callable[[float], Any]
    log: Optional[Callable[[str], Any]]

    def note(self, line: str) -> None:
        try:
            if self.log:
                self.log(line)
        except Exception:  # A fault of the application's log is none of the client.
            pass

    def ends(self) -> float:
        """The deadline of a call that begins now, for all its requests, bodies and waits, by the monotonic clock."""
        return time.monotonic() + self.timeout


def left(ends: float) -> float:
    return max(ends - time.monotonic(), 0)


def within(ends: float, work: Callable[[], T], cancel: Optional[threading.Event] = None) -> T:
    """The result of the work, which is abandoned after its deadline: a socket's timeout restarts with each byte, and a
    name may take long to resolve. Raises `unreachable` if it fails or is late."""
    done: "queue.SimpleQueue[Any]" = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except Exception as error:
            done.put((None, error))

    try:
        threading.Thread(target=run, daemon=True).start()
    except RuntimeError:
        run()  # There are no threads (any more): the timeouts of the socket are left.
    while not (cancel and cancel.is_set()):
        try:
            value, error = done.get(timeout=min(left(ends), 0.1) if cancel else left(ends))
        except queue.Empty:
            if left(ends) > 0:
                continue
            value, error = None, "no answer in time"
        if error is None:
            return value  # type: ignore[no-any-return]
        if isinstance(error, ApiError):
            raise error
        # The error quotes a server that does not speak HTTP.
        why = str(error.reason if isinstance(error, urllib.error.URLError) else error)[:200]
        said = "".join(one if one.isprintable() else " " for one in why)
        raise ApiError("unreachable", f"The server can't be reached: {said}")
    raise ApiError("cancelled", "The call was cancelled.")


class Line(urllib.request.AbstractHTTPHandler):
    """A request in progress. It uses the proxy of the environment, if there is one, and follows no redirect: a key is
    only sent to the address that the application configured."""

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def __init__(self, url: str, headers: Dict[str, str], method: str = "GET", body: Optional[bytes] = None) -> None:
        super().__init__()
        self._asks = (urllib.parse.quote(url, safe=string.punctuation), body, headers, None, False, method)
        self._sockets: List[socket.socket] = []
        self._is_dropped = False

    def open(self, timeout: float) -> Any:
        """The open answer, with any status. Raises any exception if there is none."""
        # The default opener also reads files, and firewalls refuse its user agent.
        opener = urllib.request.OpenerDirector()
        for handler in (urllib.request.ProxyHandler(), self, urllib.request.UnknownHandler()):
            opener.add_handler(handler)
        opener.addheaders = [("User-Agent", "account-service-client-python")]
        return opener.open(urllib.request.Request(*self._asks), timeout=timeout)

    def http_open(self, req: Any) -> Any:
        return self.do_open(self._kept(HTTPConnection), req)

    def https_open(self, req: Any) -> Any:
        return self.do_open(self._kept(HTTPSConnection), req)

    def _kept(self, kind: Any) -> Any:
        def connect(made: Any) -> None:
            kind.connect(made)
            self._sockets.append(made.sock)
            if self._is_dropped:
                self.drop()

        return type("Connection", (kind,), {"connect": connect})

    def drop(self) -> None:
        """Closes the connection, which ends the thread that reads from it."""
        self._is_dropped = True
        for one in self._sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def read_piece(opened: Any) -> bytes:
    """The next bytes of an answer; none at its end. Raises OSError if it was interrupted."""
    piece: bytes = opened.read1(PIECE)
    if not piece and opened.length:
        raise OSError("the answer broke off")
    return piece


def _read(line: Line, ends: float) -> Answer:
    with line.open(left(ends)) as opened:
        if 300 <= opened.status < 400:
            raise broken(opened.status)
        body = bytearray()
        while left(ends) > 0:
            piece = read_piece(opened)
            body += piece
            if len(body) > MOST_BYTES:
                raise broken(opened.status)
            if not piece:
                return Answer(opened.status, opened.headers, bytes(body))
    raise OSError("no answer in time")


def send(
    ways: Ways, ends: float, url: str, headers: Dict[str, str], method: str = "GET", body: Optional[bytes] = None
) -> Answer:
    """Sends a request up to three times: again after 429, 502, 503, 504 or no answer, once Retry-After, or one and then
    two seconds, have passed, if that is before the end of the call. Raises `unreachable` without an answer."""
    for attempt in (1, 2, 3):
        answer, fault, began = None, broken(None), time.monotonic()
        line = Line(url, headers, method, body)
        try:
            answer = within(ends, partial(_read, line, ends))
        except ApiError as error:
            fault = error
            line.drop()
        said = answer.status if answer else fault.status or fault.code
        path = urllib.parse.urlsplit(url).path
        ways.note(f"{method} {path} {said} in {time.monotonic() - began:.2f} s")
        if not answer and fault.code != "unreachable":
            raise fault
        if answer and answer.status not in AGAIN:
            return answer
        after = retry_after(answer.headers) if answer else None
        wait = attempt if after is None else after
        if attempt == 3 or wait >= left(ends):
            break
        ways.sleep(wait)
    if answer:
        return answer
    raise fault


def good(answer: Answer, also: int = 200) -> Answer:
    """The answer if its status is 200 to 299, or `also`. Raises its error otherwise."""
    if 200 <= answer.status < 300 or answer.status == also:
        return answer
    raise error_of(answer)
