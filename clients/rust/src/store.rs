use std::collections::HashMap;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use ring::rand::{SecureRandom, SystemRandom};

/// Keeps texts by name.
pub trait Store: Send + Sync {
    /// The text of a name; `None` where there is none.
    fn get(&self, name: &str) -> io::Result<Option<String>>;
    /// Keeps a text durably; `None` removes it.
    fn set(&self, name: &str, text: Option<&str>) -> io::Result<()>;
}

/// A store that ends with the process.
#[derive(Default)]
pub struct MemoryStore(Mutex<HashMap<String, String>>);

impl Store for MemoryStore {
    fn get(&self, name: &str) -> io::Result<Option<String>> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(texts.get(name).cloned())
    }

    fn set(&self, name: &str, text: Option<&str>) -> io::Result<()> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match text {
            Some(text) => texts.insert(name.into(), text.into()),
            None => texts.remove(name),
        };
        Ok(())
    }
}

/// A folder with one file for each name, which only its owner may read.
pub struct FileStore(PathBuf);

impl FileStore {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.json"))
    }
}

fn unless_absent<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

impl Store for FileStore {
    fn get(&self, name: &str) -> io::Result<Option<String>> {
        unless_absent(fs::read_to_string(self.path(name)))
    }

    /// A rename replaces the file whole: a machine that loses its power has the old text or the new one.
    fn set(&self, name: &str, text: Option<&str>) -> io::Result<()> {
        let path = self.path(name);
        let Some(text) = text else {
            return unless_absent(fs::remove_file(path)).map(drop);
        };
        let (mut folder, mut file) = (DirBuilder::new(), OpenOptions::new());
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
            folder.mode(0o700);
            file.mode(0o600);
        }
        folder.recursive(true).create(&self.0)?;
        let draft = path.with_extension(random_id());
        let mut file = file.write(true).create_new(true).open(&draft)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        drop(file);
        let placed = written.and_then(|()| fs::rename(&draft, path));
        if placed.is_err() {
            let _ = fs::remove_file(&draft);
        }
        placed
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// 128 random bits in hex.
pub(crate) fn random_id() -> String {
    let mut bits = [0; 16];
    SystemRandom::new().fill(&mut bits).expect("the system has random numbers");
    hex(&bits)
}
