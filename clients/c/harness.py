"""Drives the C ABI by lines of JSON, as ../js/harness.js drives its client."""

import ctypes
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

library = ctypes.CDLL(str(Path(__file__).parent.parent / "target/debug/libaccount_service_client.so"))
TEXT, HANDLE = ctypes.c_char_p, ctypes.c_uint64
ON_TEXT = ctypes.CFUNCTYPE(None, TEXT, ctypes.c_void_p)
ON_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)
library.asc_open.restype = HANDLE
library.asc_may_run.restype = library.asc_has.restype = ctypes.c_bool
library.asc_free.argtypes = [ctypes.c_void_p]
log: list[str] = []
on_log = ON_TEXT(lambda line, _: log.append(line.decode()))
lost: list[str] = []
on_lost = ON_TEXT(lambda status, _: lost.append(json.loads(status)["code"]))


def ask(name, *arguments):
    call = getattr(library, f"asc_{name}")
    call.restype = ctypes.c_void_p
    answer = call(HANDLE(client), *arguments)
    try:
        return json.loads(ctypes.string_at(answer))
    finally:
        library.asc_free(answer)


def text(value):
    return None if value is None else TEXT(value.encode())


def install(line):
    options, started, received = line["options"], time.monotonic(), 0

    def on_progress(bytes_received, _total, _context):
        nonlocal received
        received = bytes_received
        return "cancel" in line and time.monotonic() - started > line["cancel"]

    choice = json.dumps({"platform": options.get("platform")})
    said = ask("install", text(options["to"]), text(choice), ON_PROGRESS(on_progress), None)
    if "ok" in said:
        said["ok"]["received"] = received
    return said


def run(line):
    options = line.get("options", {})
    match line["do"]:
        case "together":
            with ThreadPoolExecutor(len(line["calls"])) as threads:
                return {"ok": list(threads.map(run, line["calls"]))}
        case "log":
            return {"ok": log}
        case "lost":
            return {"ok": lost}
        case "has":
            return {"ok": library.asc_has(HANDLE(client), text(line["feature"]))}
        case "lease":
            return ask("lease", text(json.dumps(options)), on_lost, None)
        case "close":
            return ask("end_lease")
        case "start_trial" | "status" | "check" | "release" | "policy" | "offline_request" as name:
            said = ask(name)
            if name == "status":
                assert library.asc_may_run(HANDLE(client)) == said["ok"]["may_run"]
            return said
        case "activate":
            return ask("activate", text(line.get("key", "")))
        case "activate_offline":
            return ask("activate_offline", text(line["file"]))
        case "updates":
            return ask("updates", text(json.dumps(line.get("choice", {}))))
        case "install":
            return install(line)
        case "sign_in":
            on_code = ON_TEXT(lambda code, _: print(json.dumps({"code": json.loads(code)}), flush=True))
            if "cancel" in line:
                threading.Timer(line["cancel"], library.asc_close, [HANDLE(client)]).start()
            return ask("sign_in", text(options["client_id"]), text(options.get("device_name")), on_code, None)


client = 0
library.asc_test_clock(ctypes.c_int64(int(time.time())))
for text_line in sys.stdin:
    line = json.loads(text_line)
    if line.get("at"):
        library.asc_test_clock(ctypes.c_int64(int(datetime.fromisoformat(line["at"]).timestamp())))
    if line["do"] == "open":
        library.asc_close(HANDLE(client))
        log.clear()
        lost.clear()
        given = json.dumps({**line["options"], "folder": line["store"]})
        client = library.asc_open(text(given), on_log, None, None)
        said = {"ok": None}
    else:
        said = run(line)
    print(json.dumps(said), flush=True)
