//! Drives the client by lines of JSON, as `../js/harness.js` does.

use std::io::{BufRead, stdin};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use account_service_client::{Client, Error, FileStore, Options, Wish};
use jiff::Timestamp;
use serde_json::{Value, json};

/// Seconds since 1970.
static NOW: AtomicI64 = AtomicI64::new(0);

fn open(line: &Value) -> Client {
    let given = &line["options"];
    let text = |name: &str| given[name].as_str().map(String::from);
    let id = given["product_id"].as_i64().expect("a product_id");
    Client::new(Options {
        key: text("key"),
        app_version: text("app_version"),
        device_id: text("device_id"),
        store: Box::new(FileStore::new(line["store"].as_str().expect("a store"))),
        keys: serde_json::from_value(given["keys"].clone()).unwrap_or(None),
        now: Box::new(|| UNIX_EPOCH + Duration::from_secs(NOW.load(Ordering::Relaxed) as u64)),
        sleep: Box::new(|_| {}),
        ..Options::new(given["api"].as_str().expect("an api"), id)
    })
}

fn run(client: &Client, line: &Value) -> Result<Value, Error> {
    let (given, wish) = (&line["options"], &line["wish"]);
    let text = |value: &Value| value.as_str().map(String::from);
    let of = |name: &str| line[name].as_str().unwrap_or_default();
    Ok(match of("do") {
        "status" => json!(client.status()),
        "check" => json!(client.check()),
        "activate" => json!(client.activate(of("key"))),
        "release" => json!(client.release()?),
        "policy" => json!(client.policy()?),
        "updates" => client.updates(&Wish {
            channel: text(&wish["channel"]),
            platform: text(&wish["platform"]),
            release: None,
        })?,
        "install" => {
            let wish = Wish { platform: text(&given["platform"]), ..Wish::default() };
            let mut received = 0;
            let plan = client.install(given["to"].as_str().expect("a path"), &wish, |bytes, _| received = bytes)?;
            json!({ "version": plan.version, "filename": plan.filename, "received": received })
        }
        "sign_in" => {
            let client_id = given["client_id"].as_str().expect("a client_id");
            let show = |code: &_| println!("{}", json!({ "code": code }));
            json!(client.sign_in(client_id, given["device_name"].as_str(), show)?)
        }
        "offline_request" => json!(client.offline_request()?),
        "activate_offline" => json!(client.activate_offline(of("file"))),
        other => return Ok(json!(format!("unknown: {other}"))),
    })
}

fn main() {
    NOW.store(Timestamp::now().as_second(), Ordering::Relaxed);
    let mut client = None;
    for line in stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        if let Some(at) = line["at"].as_str() {
            NOW.store(at.parse::<Timestamp>().expect("a time").as_second(), Ordering::Relaxed);
        }
        let said = match (line["do"].as_str(), &client) {
            (Some("open"), _) => {
                client = Some(open(&line));
                Ok(Value::Null)
            }
            (_, Some(client)) => run(client, &line),
            (_, None) => Ok(json!("not open")),
        };
        println!("{}", said.map_or_else(|error| json!({ "error": error }), |ok| json!({ "ok": ok })));
    }
}
