"""Drives the client by lines of JSON, as ../js/harness.js does."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, Dict, List

from account_service_client import ApiError, Client, FileStore

now = datetime.now().timestamp()
client: Any = None
logged: List[str] = []
lost: List[str] = []


def fields_of(value: Any) -> Any:
    if isinstance(value, ApiError):
        return vars(value)
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def say(line: Dict[str, Any]) -> None:
    print(json.dumps(line, default=fields_of), flush=True)


def answer(line: Dict[str, Any]) -> Dict[str, Any]:
    try:
        return {"ok": run(line)}
    except ApiError as error:
        return {"error": error}


def cancel_of(line: Dict[str, Any]) -> Any:
    cancel = threading.Event() if "cancel" in line else None
    if cancel:
        threading.Timer(line["cancel"], cancel.set).start()
    return cancel


def run(line: Dict[str, Any]) -> Any:
    global client
    does = line["do"]
    if does == "open":
        logged.clear()
        lost.clear()
        more = {"now": lambda: now, "sleep": lambda _seconds: None, "log": logged.append}
        client = Client(**line["options"], store=FileStore(line["store"]), **more)
        return None
    if does == "log":
        return logged
    if does == "lost":
        return lost
    if does == "together":
        with ThreadPoolExecutor(len(line["calls"])) as pool:
            return list(pool.map(answer, line["calls"]))
    if does == "install":
        received = 0

        def progress(count: int, _total: int) -> None:
            nonlocal received
            received = count

        plan = client.install(**line["options"], on_progress=progress, cancel=cancel_of(line))
        return {"version": plan["version"], "filename": plan["filename"], "received": received}
    if does == "sign_in":
        return client.sign_in(**line["options"], on_code=lambda code: say({"code": code}), cancel=cancel_of(line))
    calls = {
        "has": lambda: client.status().has(line["feature"]),
        "lease": lambda: client.lease(**line.get("options", {}), on_lost=lambda status: lost.append(status.code)),
        "activate": lambda: client.activate(line.get("key")),
        "activate_offline": lambda: client.activate_offline(line["file"]),
        "updates": lambda: client.updates(**line.get("choice", {})),
    }
    return calls[does]() if does in calls else getattr(client, does)()


for text in sys.stdin:
    request = json.loads(text)
    if request.get("at"):
        now = datetime.fromisoformat(request["at"].replace("Z", "+00:00")).timestamp()
    say(answer(request))
