use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use ring::digest::{Context, SHA256};
use serde::Deserialize;
use serde_json::json;
use ureq::Agent;
use ureq::http::Request;

use crate::calls::{header, read};
use crate::license::iso;
use crate::{Choice, Client, Error, Plan, random_id};

/// The time within which a cancelled call ends.
const BEAT: Duration = Duration::from_millis(100);

impl Client {
    /// Downloads a release to a path, resumes an interrupted download, and moves the file into place once its checksum
    /// is right. `on_progress` receives the number of bytes so far and in total.
    pub fn install(
        &self, to: impl AsRef<Path>, choice: &Choice, mut on_progress: impl FnMut(u64, u64),
    ) -> Result<Plan, Error> {
        let (plan, to) = (self.plan(choice)?, to.as_ref());
        let (path, mut file) = part_of(to, &plan, self.options.timeout.saturating_mul(2)).map_err(not_written)?;
        self.download(&plan, choice, &file, &mut on_progress).inspect_err(|_| {
            if file.metadata().is_ok_and(|found| found.len() == 0) {
                let _ = fs::remove_file(&path);
            }
        })?;
        if sum_of(&mut file).map_err(not_written)? != plan.sha256 {
            fs::remove_file(path).map_err(not_written)?;
            return Err(Error::new("wrong_sum", "The file that came is not the one of the plan."));
        }
        file.sync_all().and_then(|()| fs::rename(path, to)).map_err(not_written)?;
        let body = json!({
            "product_id": plan.product_id, "version": plan.version, "release_id": plan.release_id,
            "artifact_sha256": plan.sha256, "installed_at": iso(self.now()),
        });
        let request = self.request("POST", "/api/device/installs", &self.key()?);
        // The file is installed; a key without the ability to record it must not fail the call.
        let _ = self.call(self.end(), request.header("Idempotency-Key", random_id()), body.to_string());
        Ok(plan)
    }
    fn plan(&self, choice: &Choice) -> Result<Plan, Error> {
        let said = self.get(self.end(), &(self.product("/install") + &self.query(choice, None)))?;
        let plan = Plan::deserialize(&said["data"]).map_err(|_| Error::broken(200))?;
        let plan = Plan { sha256: plan.sha256.to_ascii_lowercase(), ..plan };
        let is_sum = plan.sha256.len() == 64 && plan.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_sum { Ok(plan) } else { Err(Error::broken(200)) }
    }
    pub(crate) fn pause(&self, wait: Duration, is_cancelled: impl Fn() -> bool) -> Result<(), Error> {
        for _ in 0..wait.as_millis() / BEAT.as_millis() {
            go_on(is_cancelled())?;
            (self.options.sleep)(BEAT);
        }
        go_on(is_cancelled())
    }
    fn download(
        &self, plan: &Plan, choice: &Choice, mut file: &File, on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Error> {
        let mut size = file.seek(SeekFrom::End(0)).map_err(not_written)?;
        let (mut url, mut failed) = (plan.download_url.clone(), 0);
        on_progress(size, plan.size);
        while size < plan.size {
            let before = size;
            let error = match self.take_part((&url, plan.size), choice, (file, &mut size), on_progress) {
                Ok(()) if size >= plan.size => break,
                Ok(()) => Error::new("unreachable", "The download broke off."),
                Err(error) => error,
            };
            failed = if size > before { 1 } else { failed + 1 };
            let wait = Duration::from_secs(error.retry_after.unwrap_or(failed));
            let is_too_long = error.retry_after.is_some() && wait > self.options.timeout;
            if failed == 4 || is_too_long || matches!(&*error.code, "not_written" | "cancelled") {
                return Err(error);
            }
            self.pause(wait, || choice.is_cancelled())?;
            if error.status == Some(416) {
                size = cut(file)?;
            } else if error.is_final() {
                let next = self.plan(choice)?;
                if next.sha256 != plan.sha256 {
                    return Err(Error::new("release_changed", "A newer release came out; install again."));
                }
                url = next.download_url;
            }
        }
        Ok(())
    }
    /// Appends the bytes of a file. A thread waits for them, so that a cancellation is noticed.
    fn take_part(
        &self, (url, most): (&str, u64), choice: &Choice, (mut file, size): (&File, &mut u64),
        on_progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), Error> {
        let (sender, pieces) = sync_channel(1);
        let (agent, timeout, url, from) = (self.agent.clone(), self.options.timeout, url.to_owned(), *size);
        let fetched = move || fetch(&agent, timeout, (&url, from), &sender).or_else(|error| sender.send(Err(error)));
        thread::Builder::new().spawn(fetched).map_err(Error::unreachable)?;
        let mut came = Instant::now();
        loop {
            go_on(choice.is_cancelled())?;
            let (at, bytes) = match pieces.recv_timeout(BEAT) {
                Ok(piece) => piece?,
                Err(RecvTimeoutError::Timeout) if came.elapsed() < timeout => (*size, Vec::new()),
                Err(RecvTimeoutError::Timeout) => return Err(Error::unreachable("no further byte came in time")),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if at != *size {
                *size = cut(file)?;
            }
            file.write_all(&bytes).map_err(not_written)?;
            came = if bytes.is_empty() { came } else { Instant::now() };
            *size += bytes.len() as u64;
            on_progress(*size, most);
            // More bytes than the plan has mean another file, whose checksum is wrong.
            if *size > most {
                return Ok(());
            }
        }
    }
}

fn not_written(error: io::Error) -> Error {
    Error::new("not_written", error)
}

impl Choice {
    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

fn go_on(is_cancelled: bool) -> Result<(), Error> {
    if is_cancelled { Err(Error::new("cancelled", "The call was cancelled.")) } else { Ok(()) }
}

fn cut(mut file: &File) -> Result<u64, Error> {
    file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(not_written)
}

/// A piece of a file, and its offset.
type Piece = Result<(u64, Vec<u8>), Error>;

/// Sends the bytes of a file, from an offset if the server supports that. The link is signed: the request has no key.
fn fetch(agent: &Agent, timeout: Duration, from: (&str, u64), sender: &SyncSender<Piece>) -> Result<(), Error> {
    let ((url, from), timeout) = (from, Some(timeout));
    let range = (from > 0).then(|| format!("bytes={from}-"));
    let request = range.into_iter().fold(Request::get(url), |request, range| request.header("Range", range));
    let request = agent.configure_request(request.body(()).map_err(Error::unreachable)?).max_redirects(5);
    let request = request.timeout_connect(timeout).timeout_recv_response(timeout);
    let response = agent.run(request.timeout_per_read(timeout).build()).map_err(Error::unreachable)?;
    if !response.status().is_success() {
        return Err(Error::of(&read(response)?));
    }
    let is_part = response.status() == 206 && header(&response, "content-range").starts_with(&format!("bytes {from}-"));
    let mut at = if is_part { from } else { 0 };
    let mut body = response.into_body().into_reader();
    loop {
        let mut block = vec![0; 1 << 16];
        let read = body.read(&mut block).map_err(Error::unreachable)?;
        block.truncate(read);
        // A receiver that was dropped has cancelled, or has the whole file.
        if read == 0 || sender.send(Ok((at, block))).is_err() {
            return Ok(());
        }
        at += read as u64;
    }
}

/// A new file beside the target, or one with the same checksum that nobody has written to for a while. A rename claims
/// it, so only one of several processes resumes it.
fn part_of(to: &Path, plan: &Plan, rested: Duration) -> io::Result<(PathBuf, File)> {
    let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let start = format!(".{name:.40}.{:.16}.", plan.sha256);
    let path = folder.join(format!("{start}{}.part", random_id()));
    let is_left = |left: &DirEntry| {
        let (name, found) =
            (left.file_name(), left.metadata().ok().filter(|found| found.is_file() && found.len() <= plan.size));
        let since = found.and_then(|found| found.modified().ok()?.elapsed().ok()).unwrap_or_default();
        since > rested && name.to_str().is_some_and(|name| name.starts_with(&start) && name.ends_with(".part"))
    };
    let left = fs::read_dir(folder)?.flatten().find(is_left);
    let is_taken = left.is_some_and(|left| fs::rename(left.path(), &path).is_ok());
    let file = OpenOptions::new().read(true).write(true).create_new(!is_taken).open(&path)?;
    Ok((path, file))
}

fn sum_of(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let (mut sum, mut block) = (Context::new(&SHA256), vec![0; 1 << 16]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(sum.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()),
            read => sum.update(&block[..read]),
        }
    }
}
