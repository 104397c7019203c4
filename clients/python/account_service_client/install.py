"""Downloads a release to a file, and resumes an interrupted download."""

import hashlib
import os
import re
import stat
import threading
import time
import urllib.parse
import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Callable, Optional, Tuple

from .calls import Answer, ApiError, Json, Line, Ways, broken, error_of, read_piece, text, within
from .license import is_number
from .store import put

#: The number of attempts without a further byte after which a download gives up.
ATTEMPTS = 4

#: The maximum number of redirects of a download.
HOPS = 5


def plan_of(said: Json) -> Json:
    """The plan of an install. Raises `broken_answer` for anything else."""
    size, sha256, url = said.get("size"), text(said.get("sha256")), text(said.get("download_url"))
    is_sized = is_number(size) and size % 1 == 0 <= size  # type: ignore[operator]
    if not is_sized or not re.fullmatch("[0-9a-fA-F]{64}", sha256 or "") or not re.match("https?://", url or ""):
        raise broken(200)
    return {**said, "size": int(size), "sha256": str(sha256).lower()}  # type: ignore[arg-type]


def _claimed(stem: str, own: str, seconds: float) -> bool:
    """Renames the part of an interrupted download that nobody has written to for a while."""
    folder, start = os.path.split(stem)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if not name.startswith(start) or not name.endswith(".part"):
            continue
        try:
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode) and time.time() - found.st_mtime >= seconds:
                os.utime(path)  # Others take it for one that is written to from here on.
                os.rename(path, own)
                return True
        except OSError:
            pass
    return False


def _opened(stem: str, seconds: float) -> Tuple[str, BinaryIO]:
    """A part that no other process has. No link is followed."""
    own = f"{stem}{uuid.uuid4().hex[:8]}.part"
    how = 0 if _claimed(stem, own, seconds) else os.O_CREAT | os.O_EXCL
    more = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return own, os.fdopen(os.open(own, os.O_RDWR | os.O_APPEND | how | more, 0o666), "a+b", buffering=0)


@dataclass(frozen=True)
class Download:
    """A download of one plan. `ask` returns the plan again after its link has expired."""

    ways: Ways
    plan: Json
    ask: Callable[[], Json]
    on_progress: Optional[Callable[[int, int], Any]]
    cancel: Optional[threading.Event]

    def to(self, target: str) -> None:
        """Moves the file into place once its checksum is right. Raises ApiError."""
        try:
            target = os.path.abspath(target)
            folder, name = os.path.split(target)
            os.makedirs(folder, exist_ok=True)
            # The name includes the checksum, so that a download only resumes from its own bytes.
            stem = os.path.join(folder, f".{name[:60]}.{self.plan['sha256'][:16]}.")
            part, file = _opened(stem, 2 * self.ways.timeout)
            is_left = True
            try:
                with file:
                    self._fill(file)
                    if not self._is_whole(file):
                        raise ApiError("wrong_sum", "The file that came is not the one of the plan.")
                    os.fsync(file.fileno())
                put(part, target)
            except ApiError as error:
                is_left = error.code != "wrong_sum"
                raise
            finally:
                if os.path.lexists(part) and (not is_left or os.path.getsize(part) == 0):
                    os.remove(part)
        except OSError as error:
            raise ApiError("not_written", str(error)) from error

    def _is_whole(self, file: BinaryIO) -> bool:
        digest = hashlib.sha256()
        file.seek(0)
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
        return bool(digest.hexdigest() == self.plan["sha256"])

    def _fill(self, file: BinaryIO) -> None:
        plan, size, failed = self.plan, self.plan["size"], 0
        if file.seek(0, os.SEEK_END) > size:
            self._empty(file)
        self._say(file)
        while file.tell() < size:
            before = file.tell()
            try:
                self._take_part(plan["download_url"], file)
                if file.tell() < size:
                    raise ApiError("unreachable", "The download broke off.")
            except ApiError as error:
                failed = 1 if file.tell() > before else failed + 1
                wait = failed if error.retry_after is None else error.retry_after
                late = wait > max(self.ways.timeout, failed)
                if error.code in ("wrong_sum", "cancelled") or failed == ATTEMPTS or late:
                    raise
                # The next attempt notices a cancellation.
                self.cancel.wait(wait) if self.cancel else self.ways.sleep(wait)
                if error.status is not None and error.status < 429:
                    plan = self.ask()
                    if plan["sha256"] != self.plan["sha256"]:
                        raise ApiError("release_changed", "A newer release came out; install again.") from None

    def _take_part(self, url: str, file: BinaryIO) -> None:
        """Appends the bytes of a file from the end of `file` on. The link is signed: the request has no key."""
        at, first = file.tell(), url
        line = Line(url, {"Range": f"bytes={at}-"} if at > 0 else {})
        try:
            for hop in range(HOPS + 1):
                answer = self._awaited(partial(line.open, self.ways.timeout))
                self.ways.note(f"GET {urllib.parse.urlsplit(url).path} {answer.status}")
                location = answer.headers.get("Location")
                if not 300 <= answer.status < 400 or location is None or hop == HOPS:
                    break
                url = urllib.parse.urljoin(url, location.encode("latin-1").decode(errors="replace"))
                line.drop()
                line = Line(url, {"Range": f"bytes={at}-"} if at > 0 else {})
            if at > 0 and answer.status == 416:
                self._empty(file)
                return self._take_part(first, file)
            if not 200 <= answer.status < 300:
                raise error_of(Answer(answer.status, answer.headers, b""))
            is_part = answer.status == 206 and (answer.headers.get("Content-Range") or "").startswith(f"bytes {at}-")
            if at > 0 and not is_part:
                self._empty(file)
            while True:
                piece = memoryview(self._awaited(partial(read_piece, answer)))
                if not piece:
                    return
                # More bytes than the plan has mean another file, whose checksum would be wrong.
                if file.tell() + len(piece) > self.plan["size"]:
                    raise ApiError("wrong_sum", "The file is larger than its plan says.")
                while piece:
                    piece = piece[file.write(piece) :]
                self._say(file)
        finally:
            line.drop()

    def _awaited(self, work: Callable[[], Any]) -> Any:
        return within(self.ways.ends(), work, self.cancel)

    def _empty(self, file: BinaryIO) -> None:
        file.truncate(0)
        file.seek(0)
        self._say(file)

    def _say(self, file: BinaryIO) -> None:
        if self.on_progress:
            self.on_progress(file.tell(), self.plan["size"])
