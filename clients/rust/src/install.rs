use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ureq::http::{HeaderValue, Request};

use crate::calls::{header, open, read};
use crate::license::iso;
use crate::store::{hex, random_id};
use crate::{Client, Error, Wish};

/// A download that breaks off this often without a further byte gives up.
const ATTEMPTS: u64 = 4;

/// The file of a release. `size` is in bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub product_id: i64,
    pub version: String,
    pub filename: String,
    pub sha256: String,
    pub size: u64,
    pub download_url: String,
    pub release_id: Option<i64>,
}

impl Client {
    /// Downloads a release to a path, goes on where a download broke off, and puts the file in place once its sum is
    /// right. `on_progress` gets the bytes received and those in all.
    pub fn install(
        &self, to: impl AsRef<Path>, wish: &Wish, mut on_progress: impl FnMut(u64, u64),
    ) -> Result<Plan, Error> {
        let path = self.product("/install") + &self.query(wish, None);
        let ask = || -> Result<Plan, Error> {
            let mut said: Value = self.get(&path)?;
            serde_json::from_value(said["data"].take()).map_err(|_| Error::broken(200))
        };
        let plan = ask()?;
        self.download(&plan, ask, to.as_ref(), &mut on_progress)?;
        // The file is in place; a key that may not record it is no reason to fail.
        let _ = self.record(&plan);
        Ok(plan)
    }

    fn record(&self, plan: &Plan) -> Result<(), Error> {
        let body = json!({
            "product_id": plan.product_id, "version": plan.version, "release_id": plan.release_id,
            "artifact_sha256": plan.sha256, "installed_at": iso(self.now()),
        });
        let mut request = self.request("POST", "/api/device/installs", Some(body))?;
        let key = HeaderValue::from_str(&random_id()).map_err(Error::unreachable)?;
        request.headers_mut().insert("Idempotency-Key", key);
        self.call(&request).map(drop)
    }

    fn download(
        &self, plan: &Plan, ask: impl Fn() -> Result<Plan, Error>, to: &Path, on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Error> {
        let sum = plan.sha256.to_ascii_lowercase();
        // The name has the sum, so that a download goes on with its own bytes alone.
        let mut part = to.as_os_str().to_owned();
        part.push(format!(".{}.part", sum.get(..16).unwrap_or(&sum)));
        let part = Path::new(&part);
        let (mut file, mut size) = opened(part, plan.size).map_err(not_written)?;
        on_progress(size, plan.size);
        let mut current = plan.clone();
        let mut failed = 0;
        while size < plan.size {
            let before = size;
            let error = match self.take_part(&current, &mut file, &mut size, on_progress) {
                Ok(()) if size == plan.size => break,
                Ok(()) => Error::new("unreachable", "The download broke off."),
                Err(error) => error,
            };
            failed = if size > before { 1 } else { failed + 1 };
            let wait = Duration::from_secs(error.retry_after.unwrap_or(failed));
            let is_too_long = error.retry_after.is_some() && wait > self.options.max_wait;
            if failed == ATTEMPTS || is_too_long || error.code == "not_written" {
                return Err(error);
            }
            (self.options.sleep)(wait);
            if error.is_final() {
                current = ask()?;
                if !current.sha256.eq_ignore_ascii_case(&sum) {
                    return Err(Error::new("release_changed", "A newer release came out; install again."));
                }
            }
        }
        if sum_of(&mut file).map_err(not_written)? != sum {
            drop(file);
            fs::remove_file(part).map_err(not_written)?;
            return Err(Error::new("wrong_sum", "The file that came is not the one of the plan."));
        }
        let synced = file.sync_all();
        drop(file);
        synced.and_then(|()| fs::rename(part, to)).map_err(not_written)
    }

    /// Writes what comes of a file behind the bytes that are there. The link is signed: it gets no key.
    fn take_part(
        &self, plan: &Plan, file: &mut File, size: &mut u64, on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Error> {
        let mut request = Request::get(&plan.download_url);
        if *size > 0 {
            request = request.header("Range", format!("bytes={size}-"));
        }
        let request = request.body(String::new()).map_err(Error::unreachable)?;
        let response = open(&self.downloads, &request)?;
        if !response.status().is_success() {
            return Err(Error::of(&read(response, 65_536)?));
        }
        let is_part =
            response.status() == 206 && header(&response, "content-range").starts_with(&format!("bytes {size}-"));
        if *size > 0 && !is_part {
            *size = 0;
            file.set_len(0).map_err(not_written)?;
        }
        file.seek(SeekFrom::Start(*size)).map_err(not_written)?;
        // More than the plan says is another file, whose sum is wrong.
        let mut body = response.into_body().into_reader().take(plan.size - *size);
        let mut block = vec![0; 1 << 16];
        loop {
            let read = body.read(&mut block).map_err(Error::unreachable)?;
            if read == 0 {
                return Ok(());
            }
            file.write_all(&block[..read]).map_err(not_written)?;
            *size += read as u64;
            on_progress(*size, plan.size);
        }
    }
}

fn not_written(error: io::Error) -> Error {
    Error::new("not_written", error)
}

/// The file of a download, and the bytes that it has from before.
fn opened(part: &Path, most: u64) -> io::Result<(File, u64)> {
    if let Some(folder) = part.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(part)?;
    let size = Some(file.metadata()?.len()).filter(|size| *size <= most).unwrap_or(0);
    file.set_len(size)?;
    Ok((file, size))
}

fn sum_of(file: &mut File) -> io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let mut sum = Context::new(&SHA256);
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex(sum.finish().as_ref())),
            read => sum.update(&block[..read]),
        }
    }
}
