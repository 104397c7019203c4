"""Drives the client by lines of JSON, as ../js/harness.js does."""

import json
import sys
from datetime import datetime
from typing import Any, Dict

from account_service_client import ApiError, Client, FileStore

now = datetime.now().timestamp()
client: Any = None


def fields_of(value: Any) -> Any:
    if isinstance(value, ApiError):
        return vars(value)
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def say(line: Dict[str, Any]) -> None:
    print(json.dumps(line, default=fields_of), flush=True)


def run(line: Dict[str, Any]) -> Any:
    global client
    does = line["do"]
    if does == "open":
        options = dict(line["options"])
        client = Client(**options, store=FileStore(line["store"]), now=lambda: now, sleep=lambda _seconds: None)
        return None
    if does == "install":
        received = 0

        def progress(count: int, _total: int) -> None:
            nonlocal received
            received = count

        plan = client.install(**line["options"], on_progress=progress)
        return {"version": plan["version"], "filename": plan["filename"], "received": received}
    if does == "sign_in":
        return client.sign_in(**line["options"], on_code=lambda code: say({"code": code}))
    calls = {
        "activate": lambda: client.activate(line.get("key")),
        "activate_offline": lambda: client.activate_offline(line["file"]),
        "updates": lambda: client.updates(**line.get("wish", {})),
    }
    return calls[does]() if does in calls else getattr(client, does)()


for text in sys.stdin:
    request = json.loads(text)
    if request.get("at"):
        now = datetime.fromisoformat(request["at"].replace("Z", "+00:00")).timestamp()
    try:
        say({"ok": run(request)})
    except ApiError as error:
        say({"error": error})
