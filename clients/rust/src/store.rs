use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tempfile::NamedTempFile;

use crate::calls::MOST_BYTES;
use crate::{Client, Error};

/// Stores texts by name.
pub trait Store: Send + Sync {
    /// The text of a name; `None` if there is none.
    fn get(&self, name: &str) -> io::Result<Option<String>>;
    /// Stores a text durably; `None` removes it.
    fn set(&self, name: &str, text: Option<&str>) -> io::Result<()>;
    /// Stores a text if the name has none; of several processes, one succeeds.
    fn create(&self, name: &str, text: &str) -> io::Result<()> {
        if self.get(name)?.is_none() { self.set(name, Some(text)) } else { Ok(()) }
    }
}

/// A store that ends with the process.
#[derive(Default)]
pub struct MemoryStore(Mutex<HashMap<String, String>>);

impl Store for MemoryStore {
    fn get(&self, name: &str) -> io::Result<Option<String>> {
        Ok(lock(&self.0).get(name).cloned())
    }
    fn set(&self, name: &str, text: Option<&str>) -> io::Result<()> {
        match text {
            Some(text) => lock(&self.0).insert(name.into(), text.into()),
            None => lock(&self.0).remove(name),
        };
        Ok(())
    }
}

/// A folder with one file for each name, readable only by its owner. Links in place of its files are not followed.
pub struct FileStore(PathBuf);

impl FileStore {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.json"))
    }
    /// A draft that is moved into place atomically: after a power failure the file has the old text or the new one.
    fn draft(&self, text: &str) -> io::Result<NamedTempFile> {
        let mut folder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.recursive(true).create(&self.0)?;
        let mut file = NamedTempFile::new_in(&self.0)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all().map(|()| file)
    }
}

impl Store for FileStore {
    fn get(&self, name: &str) -> io::Result<Option<String>> {
        let path = self.path(name);
        let Some(found) = unless(ErrorKind::NotFound, fs::symlink_metadata(&path))? else { return Ok(None) };
        if !found.is_file() || found.len() > MOST_BYTES {
            return Ok(Some(String::new()));
        }
        let bytes = unless(ErrorKind::NotFound, fs::read(path))?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
    fn set(&self, name: &str, text: Option<&str>) -> io::Result<()> {
        match text {
            Some(text) => self.draft(text)?.persist(self.path(name)).map(drop).map_err(io::Error::from),
            None => unless(ErrorKind::NotFound, fs::remove_file(self.path(name))).map(drop),
        }
    }
    fn create(&self, name: &str, text: &str) -> io::Result<()> {
        let placed = self.draft(text)?.persist_noclobber(self.path(name));
        unless(ErrorKind::AlreadyExists, placed.map_err(io::Error::from)).map(drop)
    }
}

fn unless<T>(kind: ErrorKind, result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == kind => Ok(None),
        other => other.map(Some),
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Texts that the store failed to save, and the errors.
pub(crate) type Unsaved = Mutex<HashMap<String, (Option<String>, Error)>>;

/// The texts of one API are `name.scope`, or `name` alone in earlier versions. A text that the store fails to save
/// counts as long as the client lives.
impl Client {
    pub(crate) fn recall(&self, name: &str) -> Result<Option<String>, Error> {
        if let Some((text, _)) = lock(&self.unsaved).get(name) {
            return Ok(text.clone());
        }
        let get = |name: &str| self.options.store.get(name).map_err(|error| self.fault_of(name, error));
        let kept = get(&self.scoped(name))?;
        if kept.is_some() { Ok(kept) } else { get(name) }
    }
    pub(crate) fn remember(&self, name: &str, text: Option<&str>) {
        let store = &self.options.store;
        let done = store.set(&self.scoped(name), text);
        let done = if text.is_none() { done.and_then(|()| store.set(name, None)) } else { done };
        lock(&self.unsaved).remove(name);
        // A device id that is not stored would take a slot at each start.
        if let Some(error) = done.err().filter(|_| name != "device") {
            let unsaved = (text.map(String::from), self.fault_of(name, error));
            lock(&self.unsaved).insert(name.into(), unsaved);
        }
    }
    pub(crate) fn create(&self, name: &str, text: &str) -> Result<(), Error> {
        self.options.store.create(&self.scoped(name), text).map_err(|error| self.fault_of(name, error))
    }
    fn fault_of(&self, name: &str, error: io::Error) -> Error {
        self.log(format_args!("{name}: {error}"));
        Error::new("not_remembered", format!("The license can't be kept: {error}"))
    }
    /// The reason why something is not stored.
    pub(crate) fn fault(&self) -> Option<Error> {
        lock(&self.unsaved).values().next().map(|(_, error)| error.clone())
    }
    fn scoped(&self, name: &str) -> String {
        let api = &self.options.api;
        let host = api.split_once("://").map_or(&**api, |(_, host)| host).to_lowercase();
        format!("{name}.{}", host.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'), "_"))
    }
    /// A text of this product; an unreadable one counts as missing.
    pub(crate) fn read(&self, name: &str) -> Value {
        let kept = self.recall(&format!("{name}-{}", self.options.product_id));
        serde_json::from_str(&kept.ok().flatten().unwrap_or_default()).unwrap_or_default()
    }
    pub(crate) fn is_saved(&self, name: &str) -> bool {
        !lock(&self.unsaved).contains_key(&format!("{name}-{}", self.options.product_id))
    }
    /// Stores a value for this product; null removes it.
    pub(crate) fn keep(&self, name: &str, value: &Value) {
        let text = Some(value.to_string()).filter(|_| !value.is_null());
        self.remember(&format!("{name}-{}", self.options.product_id), text.as_deref());
    }
}
