"""HTTP calls that are repeated where that makes sense, and the errors of the API."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Callable, Dict, Optional

AGAIN = (429, 502, 503, 504)

#: The most bytes of an answer that is no download.
MOST_BYTES = 8 * 1024 * 1024


class ApiError(Exception):
    """Why a call failed. `status` is None where no answer came; `retry_after` is in seconds.

    `code` is the API's, or one of the client's own: `no_key`, `unreachable`, `broken_answer`, `not_remembered`,
    `no_keys`, `wrong_file`, `wrong_sum`, `release_changed`, `expired_token`, `http_<status>`.
    """

    def __init__(self, code: str, message: str, status: Optional[int] = None, retry_after: Optional[int] = None):
        super().__init__(message)
        self.code, self.message, self.status, self.retry_after = code, message, status, retry_after


@dataclass
class Answer:
    """An answer of which the body has been read."""

    status: int
    headers: Any
    body: bytes

    def json(self) -> Any:
        """The JSON of the body; raises `broken_answer` where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise broken(self.status) from None


def fields(value: Any) -> Dict[str, Any]:
    """The value where it is a JSON object; an empty one otherwise."""
    return value if isinstance(value, dict) else {}


def broken(status: int) -> ApiError:
    return ApiError("broken_answer", "The answer is not one of the account service.", status)


def retry_after(headers: Any) -> Optional[int]:
    seconds = headers.get("Retry-After") or ""
    return int(seconds) if seconds.isascii() and seconds.isdigit() else None


def error_of(answer: Answer) -> ApiError:
    """The error of an answer outside 200 to 299. OAuth has its sentence in `error_description`."""
    try:
        said = fields(json.loads(answer.body))
    except ValueError:
        said = {}
    named = [code for code in (said.get("error"), said.get("code")) if isinstance(code, str)]
    code = named[0] if named else f"http_{answer.status}"
    message = said.get("message") or said.get("error_description") or f"The server answered {answer.status}."
    return ApiError(code, str(message), answer.status, retry_after(answer.headers))


def good(answer: Answer) -> Answer:
    """The answer, where its status is 200 to 299. Raises its error otherwise."""
    if 200 <= answer.status < 300:
        return answer
    raise error_of(answer)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key is sent nowhere but where the application said."""

    def redirect_request(self, *_args: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def open_url(request: urllib.request.Request, timeout: float) -> Any:
    """The open answer, of any status. Raises OSError or HTTPException without one."""
    try:
        return _opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as answer:
        return answer


def send(
    method: str,
    url: str,
    headers: Dict[str, str],
    body: Optional[bytes],
    *,
    timeout: float,
    max_wait: float,
    sleep: Callable[[float], Any],
) -> Answer:
    """Sends a request up to three times: again after 429, 502, 503, 504 and where no answer comes, once Retry-After has
    passed, or one and two seconds. It waits at most `max_wait` seconds in all. Raises `unreachable` without an answer.
    """
    left = max_wait
    for attempt in (1, 2, 3):
        answer: Optional[Answer] = None
        fault: Optional[Exception] = None
        try:
            request = urllib.request.Request(url, data=body, headers=headers, method=method)
            with open_url(request, timeout) as opened:
                answer = Answer(opened.status, opened.headers, opened.read(MOST_BYTES))
            if answer.status not in AGAIN:
                return answer
        except (OSError, HTTPException) as error:
            fault = error
        after = retry_after(answer.headers) if answer else None
        wait = attempt if after is None else after
        if attempt == 3 or wait > left:
            break
        left -= wait
        sleep(wait)
    if answer:
        return answer
    raise ApiError("unreachable", f"The server can't be reached: {fault}")
