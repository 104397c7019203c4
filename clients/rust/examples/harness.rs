//! Drives the client by lines of JSON, as `../js/harness.js` does.

use std::io::{BufRead, stdin};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use account_service_client::{Choice, Client, Error, FileStore, Options};
use jiff::Timestamp;
use serde_json::{Value, json};

/// Seconds since 1970.
static NOW: AtomicI64 = AtomicI64::new(0);

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The codes of the statuses with which the loss of a lease was reported.
static LOST: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn open(line: &Value) -> Client {
    let given = &line["options"];
    let text = |name: &str| given[name].as_str().map(String::from);
    let id = given["product_id"].as_i64().expect("a product_id");
    let defaults = Options::new(given["api"].as_str().expect("an api"), id);
    LOG.lock().expect("a log").clear();
    LOST.lock().expect("a list").clear();
    Client::new(Options {
        key: text("key"),
        app_version: text("app_version"),
        device_id: text("device_id"),
        device_name: text("device_name").unwrap_or(defaults.device_name),
        issuer: text("issuer"),
        language: text("language"),
        store: Box::new(FileStore::new(line["store"].as_str().expect("a store"))),
        keys: given["keys"]
            .as_array()
            .map(|keys| keys.iter().flat_map(|key| serde_json::from_value(key.clone())).collect()),
        timeout: given["timeout"].as_f64().map_or(defaults.timeout, Duration::from_secs_f64),
        log: Some(Box::new(|line| LOG.lock().expect("a log").push(line.to_owned()))),
        now: Box::new(|| UNIX_EPOCH + Duration::from_secs(NOW.load(Ordering::Relaxed).max(0) as u64)),
        sleep: Box::new(|_| {}),
        ..defaults
    })
}

fn cancel_of(line: &Value) -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    if let Some(after) = line["cancel"].as_f64() {
        let cancel = cancel.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_secs_f64(after));
            cancel.store(true, Ordering::Relaxed);
        });
    }
    cancel
}

fn run(client: &Arc<Client>, line: &Value) -> Result<Value, Error> {
    let (given, choice) = (&line["options"], &line["choice"]);
    let text = |value: &Value| value.as_str().map(String::from);
    let of = |name: &str| line[name].as_str().unwrap_or_default();
    Ok(match of("do") {
        "status" => json!(client.status()),
        "check" => json!(client.check()),
        "activate" => json!(client.activate(of("key"))),
        "has" => json!(client.status().has(of("feature"))),
        "start_trial" => json!(client.start_trial()),
        "lease" => {
            let days = given["borrow_days"].as_u64().and_then(|days| days.try_into().ok());
            json!(client.lease(days, |status| LOST.lock().expect("a list").push(status.code.clone())))
        }
        "close" => json!(client.close()),
        "lost" => json!(*LOST.lock().expect("a list")),
        "release" => json!(client.release()?),
        "policy" => json!(client.policy()?),
        "updates" => client.updates(&Choice {
            channel: text(&choice["channel"]),
            platform: text(&choice["platform"]),
            ..Choice::default()
        })?,
        "install" => {
            let choice =
                Choice { platform: text(&given["platform"]), cancel: Some(cancel_of(line)), ..Choice::default() };
            let mut received = 0;
            let plan = client.install(given["to"].as_str().expect("a path"), &choice, |bytes, _| received = bytes)?;
            json!({ "version": plan.version, "filename": plan.filename, "received": received })
        }
        "sign_in" => {
            let client_id = given["client_id"].as_str().expect("a client_id");
            let show = |code: &_| println!("{}", json!({ "code": code }));
            let cancel = cancel_of(line);
            json!(client.sign_in(client_id, given["device_name"].as_str(), || cancel.load(Ordering::Relaxed), show)?)
        }
        "offline_request" => json!(client.offline_request()?),
        "activate_offline" => json!(client.activate_offline(of("file"))),
        "log" => json!(*LOG.lock().expect("a log")),
        "together" => thread::scope(|scope| {
            let calls = line["calls"].as_array().expect("calls");
            let begun: Vec<_> = calls.iter().map(|call| scope.spawn(|| answer(client, call))).collect();
            begun.into_iter().map(|call| call.join().expect("an answer")).collect()
        }),
        other => json!(format!("unknown: {other}")),
    })
}

fn answer(client: &Arc<Client>, line: &Value) -> Value {
    run(client, line).map_or_else(|error| json!({ "error": error }), |ok| json!({ "ok": ok }))
}

fn main() {
    NOW.store(Timestamp::now().as_second(), Ordering::Relaxed);
    let mut client = None;
    for line in stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        if let Some(at) = line["at"].as_str() {
            NOW.store(at.parse::<Timestamp>().expect("a time").as_second(), Ordering::Relaxed);
        }
        let said = match &client {
            _ if line["do"] == "open" => {
                client = Some(Arc::new(open(&line)));
                json!({ "ok": null })
            }
            Some(client) => answer(client, &line),
            None => json!({ "error": { "status": null, "code": "not_open", "message": "not open" } }),
        };
        println!("{said}");
    }
}
