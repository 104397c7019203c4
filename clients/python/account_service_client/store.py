"""The memory of a client, for disks that fail and processes that start concurrently."""

import os
import re
import stat
import threading
import time
import uuid
from contextlib import contextmanager
from typing import Dict, Iterator, Optional, Protocol

from .calls import ApiError, Ways

#: More than any text that a client stores.
MOST_CHARACTERS = 1 << 22


def put(own: str, path: str) -> None:
    """Renames a file over another one. Windows refuses that while anybody reads the other one."""
    for _ in range(9 if os.name == "nt" else 0):
        try:
            return os.replace(own, path)
        except PermissionError:
            time.sleep(0.02)
    return os.replace(own, path)


class Store(Protocol):
    """Stores texts by name. `set` stores a text durably; None removes it. A store that several processes use also has
    `create(name, text)`, which returns True if it created the text, and keeps an existing one."""

    def get(self, name: str) -> Optional[str]: ...

    def set(self, name: str, text: Optional[str]) -> None: ...


class MemoryStore:
    """A store that ends with the process."""

    def __init__(self) -> None:
        self._texts: Dict[str, str] = {}

    def get(self, name: str) -> Optional[str]:
        return self._texts.get(name)

    def set(self, name: str, text: Optional[str]) -> None:
        if text is None:
            self._texts.pop(name, None)
        else:
            self._texts[name] = text

    def create(self, name: str, text: str) -> bool:
        return self._texts.setdefault(name, text) is text


class FileStore:
    """A store with one file for each name, readable only by its owner."""

    def __init__(self, folder: "str | os.PathLike[str]") -> None:
        self._folder = os.fspath(folder)

    def get(self, name: str) -> Optional[str]:
        try:
            if not stat.S_ISREG(os.stat(self._path(name)).st_mode):
                raise OSError(f"{self._path(name)} is no file")  # A pipe would never end.
            with open(self._path(name), encoding="utf-8", errors="replace") as file:
                return file.read(MOST_CHARACTERS)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def set(self, name: str, text: Optional[str]) -> None:
        if text is None:
            try:
                os.remove(self._path(name))
            except (FileNotFoundError, NotADirectoryError):
                pass
            return
        # A rename is atomic: after a power failure the file has the old text or the new one.
        with self._draft(name, text) as draft:
            put(draft, self._path(name))

    def create(self, name: str, text: str) -> bool:
        try:
            with self._draft(name, text) as draft:
                try:
                    os.link(draft, self._path(name))
                except FileExistsError:
                    raise
                except (OSError, AttributeError, NotImplementedError):
                    self._write(self._path(name), text)  # This disk has no links.
            return True
        except FileExistsError:
            return False

    @contextmanager
    def _draft(self, name: str, text: str) -> Iterator[str]:
        """A temporary file beside the one of this name."""
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        draft = f"{self._path(name)}.{uuid.uuid4()}"
        try:
            self._write(draft, text)
            yield draft
        finally:
            try:
                os.remove(draft)
            except OSError:
                pass

    @staticmethod
    def _write(path: str, text: str) -> None:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, f"{name}.json")


def _id_of(text: Optional[str]) -> Optional[str]:
    """The id in a text; None if it is damaged."""
    made = (text or "").replace("\ufeff", "").strip()
    return made if re.fullmatch("[^\x00-\x1f\x7f\ufffd]{1,255}", made) else None


class Memory:
    """The memory of a client for one product at one API. If the store fails, the client only loses its memory: the
    texts are kept here as long as the client lives, and `fault` has the store's error."""

    def __init__(self, store: Store, api: str, product_id: int, ways: Ways) -> None:
        self._store, self._product_id, self._ways = store, product_id, ways
        self._scope = re.sub(r"[^a-z0-9.-]", "_", re.sub(r"^\w+://", "", api).lower())
        #: Texts that the store failed to save.
        self._unwritten: Dict[str, Optional[str]] = {}
        self._making = threading.Lock()
        self.fault: Optional[str] = None

    def get(self, name: str) -> Optional[str]:
        """A text; None if it is missing or unreadable."""
        if name in self._unwritten:
            return self._unwritten[name]
        for full in (self._scoped(name), self._former(name)):
            try:
                text = self._store.get(full)
                if isinstance(text, str):
                    return text
            except Exception as error:
                self._failed(name, error)
        return None

    def shared(self, name: str) -> Optional[str]:
        """A text that other processes can read too; None if the store failed to save it."""
        return None if name in self._unwritten else self.get(name)

    def set(self, name: str, text: Optional[str]) -> None:
        try:
            self._store.set(self._scoped(name), text)
            if text is None:
                self._store.set(self._former(name), None)
            self._unwritten.pop(name, None)
        except Exception as error:
            # A device id that is not stored would take a slot at each start.
            if not name.startswith("device"):
                self._unwritten[name] = text
            self._failed(name, error)

    def device_of(self, known: Optional[str]) -> Optional[str]:
        """The remembered id, or `known`, that of a valid token."""
        return _id_of(self.get("device")) or _id_of(self.get("device-2")) or known

    def device(self, known: Optional[str]) -> str:
        """The id of this installation. Threads and processes that start concurrently agree on one."""
        with self._making:
            made = known or str(uuid.uuid4())
            for name in ("device", "device-2"):
                try:
                    if self.device_of(None) is None and self.get(name) is None:
                        getattr(self._store, "create", self._store.set)(self._scoped(name), made)
                except Exception as error:
                    self._failed(name, error)
            kept = self.device_of(known)
            if kept is None:
                raise ApiError("not_remembered", self.fault or "The license can't be kept: the store forgets it.")
            return kept

    def forget_device(self) -> None:
        for name in ("device", "device-2"):
            self.set(name, None)

    def _failed(self, name: str, error: Exception) -> None:
        self.fault = f"The license can't be kept: {error or type(error).__name__}"
        self._ways.note(f"The store fails at {name}: {self.fault}")

    def _scoped(self, name: str) -> str:
        return f"{self._former(name)}.{self._scope}"

    def _former(self, name: str) -> str:
        """The name in earlier versions."""
        return f"{name}-{self._product_id}" if name in ("answer", "clock", "trust") else name
