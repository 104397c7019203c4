//! The C ABI of the Rust client: `include/account_service_client.h` documents each function.

// C cannot mark a function whose pointers must be valid; the header documents it.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use client::{Choice, Client, Error, FileStore, Options};
use serde::Deserialize;
use serde_json::{Value, json};

#[cfg(panic = "abort")]
compile_error!("A panic must become an error, so the library needs panic = \"unwind\".");

/// The open clients. A handle is a number, so an invalid or closed one is refused instead of dereferenced.
static CLIENTS: RwLock<BTreeMap<u64, Arc<Client>>> = RwLock::new(BTreeMap::new());
static LAST: AtomicU64 = AtomicU64::new(0);

type Answer = Result<Value, Error>;
type OnLog = extern "C" fn(*const c_char, *mut c_void);
type OnCode = extern "C" fn(*const c_char, *mut c_void);
type OnLost = extern "C" fn(*const c_char, *mut c_void);
type OnProgress = extern "C" fn(u64, u64, *mut c_void) -> c_int;

/// The caller's pointer, which is only passed back to the caller's functions.
struct Context(*mut c_void);
// SAFETY: the header says that the functions are called from several threads.
unsafe impl Send for Context {}
unsafe impl Sync for Context {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    api: String,
    product_id: i64,
    key: Option<String>,
    app_version: Option<String>,
    device_id: Option<String>,
    device_name: Option<String>,
    issuer: Option<String>,
    keys: Option<Value>,
    language: Option<String>,
    timeout: Option<f64>,
    folder: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    channel: Option<String>,
    platform: Option<String>,
    release: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Lease {
    borrow_days: Option<u32>,
}

fn refused(message: impl ToString) -> Error {
    Error { status: None, code: "bad_argument".into(), message: message.to_string(), retry_after: None }
}

/// SAFETY of this and all functions that accept texts: a pointer is null or points to a text that ends with a zero
/// byte.
fn text<'a>(from: *const c_char, name: &str) -> Result<&'a str, Error> {
    if from.is_null() {
        return Err(refused(format!("{name} is null.")));
    }
    unsafe { CStr::from_ptr(from) }.to_str().map_err(|_| refused(format!("{name} is not UTF-8.")))
}

fn parsed<T: Deserialize<'static> + Default>(from: *const c_char, name: &str) -> Result<T, Error> {
    if from.is_null() {
        return Ok(T::default());
    }
    serde_json::from_str(text(from, name)?).map_err(|error| refused(format!("{name}: {error}")))
}

/// A text for the caller, which must be returned to `asc_free`.
fn given(text: &str) -> *mut c_char {
    CString::new(text.replace('\0', "")).map_or(null_mut(), CString::into_raw)
}

fn caught<T>(done: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let crashed = |_| Err(Error { code: "crashed".into(), ..refused("The library failed; please report it.") });
    catch_unwind(AssertUnwindSafe(done)).unwrap_or_else(crashed)
}

fn found(handle: u64) -> Option<Arc<Client>> {
    CLIENTS.read().unwrap_or_else(PoisonError::into_inner).get(&handle).cloned()
}

fn with(handle: u64, done: impl FnOnce(&Arc<Client>) -> Answer) -> *mut c_char {
    let said = caught(|| done(&found(handle).ok_or_else(|| refused("The client is not open."))?));
    given(&said.map_or_else(|error| json!({ "error": error }), |ok| json!({ "ok": ok })).to_string())
}

fn opened(options: *const c_char, log: Option<OnLog>, context: Context) -> Result<u64, Error> {
    let given: Given = serde_json::from_str(text(options, "options")?).map_err(refused)?;
    let mut made = Options {
        key: given.key,
        app_version: given.app_version,
        device_id: given.device_id,
        issuer: given.issuer,
        keys: given.keys.map(|keys| client::keys(&keys.to_string())),
        language: given.language,
        ..Options::new(&given.api, given.product_id)
    };
    made.device_name = given.device_name.unwrap_or(made.device_name);
    if let Some(seconds) = given.timeout {
        made.timeout = Duration::try_from_secs_f64(seconds).map_err(refused)?;
    }
    if let Some(folder) = given.folder {
        made.store = Box::new(FileStore::new(folder));
    }
    if let Some(log) = log {
        made.log = Some(Box::new(move |line| {
            let Context(context) = &context;
            let line = CString::new(line).unwrap_or_default();
            log(line.as_ptr(), *context);
        }));
    }
    #[cfg(debug_assertions)]
    clock::replace(&mut made);
    let handle = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    CLIENTS.write().unwrap_or_else(PoisonError::into_inner).insert(handle, Arc::new(Client::new(made)));
    Ok(handle)
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_abi_version() -> u32 {
    2
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_open(
    options: *const c_char, log: Option<OnLog>, context: *mut c_void, error: *mut *mut c_char,
) -> u64 {
    let context = Context(context);
    let (handle, said) = match caught(|| opened(options, log, context)) {
        Ok(handle) => (handle, null_mut()),
        Err(error) => (0, given(&json!({ "error": error }).to_string())),
    };
    match error.is_null() {
        true => asc_free(said),
        // SAFETY: the caller's pointer is null or points to a place for a pointer.
        false => unsafe { *error = said },
    }
    handle
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_close(client: u64) {
    let closed = CLIENTS.write().unwrap_or_else(PoisonError::into_inner).remove(&client);
    let _ = caught(|| {
        drop(closed);
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the text was created by `given`.
        drop(unsafe { CString::from_raw(text) });
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_may_run(client: u64) -> bool {
    let mut may_run = false;
    asc_free(with(client, |client| {
        may_run = client.status().may_run;
        Ok(Value::Null)
    }));
    may_run
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_has(client: u64, feature: *const c_char) -> bool {
    let mut has = false;
    asc_free(with(client, |client| {
        has = client.status().has(text(feature, "feature")?);
        Ok(Value::Null)
    }));
    has
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_member(answer: *const c_char, path: *const c_char) -> *mut c_char {
    let found = caught(|| {
        let said: Value = serde_json::from_str(text(answer, "answer")?).map_err(refused)?;
        let names = text(path, "path")?.split('.').collect::<Vec<_>>();
        Ok(names.iter().fold(&said, |said, name| said.get(name).unwrap_or(&Value::Null)).clone())
    });
    match found.unwrap_or_default() {
        Value::Null => null_mut(),
        Value::String(text) => given(&text),
        other => given(&other.to_string()),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_status(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.status())))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_check(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.check())))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_activate(client: u64, key: *const c_char) -> *mut c_char {
    with(client, |client| Ok(json!(client.activate(text(key, "key")?))))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_start_trial(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.start_trial())))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_lease(
    handle: u64, options: *const c_char, on_lost: Option<OnLost>, context: *mut c_void,
) -> *mut c_char {
    let context = Context(context);
    with(handle, |client| {
        let Lease { borrow_days } = parsed(options, "options")?;
        let lost = move |status: &_| {
            let Context(context) = &context;
            // The caller may have freed its context after it closed the client.
            if let Some(on_lost) = on_lost.filter(|_| found(handle).is_some()) {
                let status = CString::new(json!(status).to_string()).unwrap_or_default();
                on_lost(status.as_ptr(), *context);
            }
        };
        Ok(json!(client.lease(borrow_days, lost)))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_end_lease(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.close())))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_activate_offline(client: u64, file: *const c_char) -> *mut c_char {
    with(client, |client| Ok(json!(client.activate_offline(text(file, "file")?))))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_offline_request(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.offline_request()?)))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_release(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.release()?)))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_policy(client: u64) -> *mut c_char {
    with(client, |client| Ok(json!(client.policy()?)))
}

fn choice_of(choice: *const c_char) -> Result<Choice, Error> {
    let Asked { channel, platform, release } = parsed(choice, "choice")?;
    Ok(Choice { channel, platform, release, cancel: None })
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_updates(client: u64, choice: *const c_char) -> *mut c_char {
    with(client, |client| client.updates(&choice_of(choice)?))
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_install(
    client: u64, to: *const c_char, choice: *const c_char, on_progress: Option<OnProgress>, context: *mut c_void,
) -> *mut c_char {
    with(client, |client| {
        let cancel = Arc::new(AtomicBool::new(false));
        let choice = Choice { cancel: Some(cancel.clone()), ..choice_of(choice)? };
        let plan = client.install(text(to, "to")?, &choice, |received, all| {
            let is_over = on_progress.is_some_and(|on_progress| on_progress(received, all, context) != 0);
            cancel.store(is_over, Ordering::Relaxed);
        })?;
        Ok(json!(plan))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn asc_sign_in(
    handle: u64, client_id: *const c_char, device_name: *const c_char, on_code: Option<OnCode>, context: *mut c_void,
) -> *mut c_char {
    with(handle, |client| {
        let name = if device_name.is_null() { None } else { Some(text(device_name, "device_name")?) };
        let on_code = on_code.ok_or_else(|| refused("on_code is null."))?;
        let show = |code: &_| {
            let code = CString::new(json!(code).to_string()).unwrap_or_default();
            on_code(code.as_ptr(), context);
        };
        Ok(json!(client.sign_in(text(client_id, "client_id")?, name, || found(handle).is_none(), show)?))
    })
}

/// A clock for tests, absent from a release build.
#[cfg(debug_assertions)]
mod clock {
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    static NOW: AtomicI64 = AtomicI64::new(-1);

    /// Sets the clock in seconds since 1970. Clients opened after the first call use this clock, and never sleep.
    #[unsafe(no_mangle)]
    pub extern "C" fn asc_test_clock(seconds: i64) {
        NOW.store(seconds, Ordering::Relaxed);
    }

    pub fn replace(options: &mut client::Options) {
        if NOW.load(Ordering::Relaxed) >= 0 {
            let now = || UNIX_EPOCH + Duration::from_secs(NOW.load(Ordering::Relaxed).max(0) as u64);
            options.now = Box::new(move || -> SystemTime { now() });
            options.sleep = Box::new(|_| {});
        }
    }
}
