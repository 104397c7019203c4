import os
import threading
import uuid
from typing import Dict, Optional, Protocol


class Store(Protocol):
    """Texts by name. `set` keeps a text durably; None removes it."""

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


class FileStore:
    """A store of one file for each name, which only its owner may read."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def get(self, name: str) -> Optional[str]:
        try:
            with open(self._path(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def set(self, name: str, text: Optional[str]) -> None:
        path = self._path(name)
        with self._lock:
            if text is None:
                try:
                    os.remove(path)
                except FileNotFoundError:
                    pass
                return
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            # A rename replaces the file whole: a machine that loses its power has the old text or the new one.
            draft = f"{path}.{uuid.uuid4()}"
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, f"{name}.json")
