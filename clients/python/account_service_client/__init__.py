"""A client of the account service: license checks, also offline, updates and installs of one product on one device."""

from .calls import ApiError
from .client import Client, Released, SignedIn
from .license import Code, State, Status
from .store import FileStore, MemoryStore, Store

__all__ = [
    "ApiError",
    "Client",
    "Code",
    "FileStore",
    "MemoryStore",
    "Released",
    "SignedIn",
    "State",
    "Status",
    "Store",
]
