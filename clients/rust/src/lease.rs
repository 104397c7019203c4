use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use ring::rand;
use serde_json::{Value, json as object};

use crate::calls::json;
use crate::license::{seconds, text};
use crate::store::lock;
use crate::{Client, Error, State, Status};

pub(crate) const CHECK: &str = "/api/license/check";
const TRIAL: &str = "/api/license/trial";
pub(crate) const LEASE: &str = "/api/license/lease";

/// Seconds between two looks at the clocks, so that a lease is renewed soon after the machine slept.
const LOOK: f64 = 10.0;
/// Seconds between two attempts to get back a lease that has ended.
const AFTER_LOSS: f64 = 60.0;
/// The most seconds between two attempts to renew a lease.
const LONGEST_RETRY: f64 = 300.0;

impl Client {
    /// Starts the trial of this device, which has one. Does nothing while a license runs.
    pub fn start_trial(&self) -> Status {
        let (end, mut last) = (self.end(), lock(&self.checking));
        *last = None;
        let status = self.status();
        let is_needed = !status.may_run || status.state == State::Trial;
        self.with_error(if is_needed { self.ask_trial(end) } else { Ok(()) })
    }
    /// Starts the trial of this device, or asks for it again.
    pub(crate) fn ask_trial(&self, end: Instant) -> Result<(), Error> {
        let present = self.key();
        let said = self.ask(end, "", TRIAL, object!({}))?;
        if self.key() == present {
            self.take(said);
        }
        Ok(())
    }
    /// Takes a slot of a floating license, and renews it in the background until `close`, `release`, a refusal or the
    /// end of the client. Without an answer, it tries again, also after the slot has ended. `check` and `activate` take
    /// a slot too, but only this keeps it. `borrow_days` holds the slot for so many days, in which the application may
    /// run offline. `on_lost` is called with the status, in the background, each time that a renewal ends with an
    /// application that may not run.
    pub fn lease(self: &Arc<Self>, borrow_days: Option<u32>, on_lost: impl Fn(&Status) + Send + 'static) -> Status {
        let (end, mut last) = (self.end(), lock(&self.checking));
        *last = None;
        let done = self.renew(end, borrow_days);
        if done.is_ok() {
            let _ = self.fetch_policy(end);
        }
        let status = self.with_error(done);
        let (stop, stopped) = channel();
        *lock(&self.stop) = Some(stop);
        if status.lease_id.is_some() {
            let (client, status) = (Arc::downgrade(self), status.clone());
            thread::spawn(move || keep(&client, &stopped, status, on_lost));
        }
        status
    }
    /// Ends the renewal, and gives the slot of a lease back, unless it is borrowed. Call it at exit.
    pub fn close(&self) -> Status {
        let (end, mut last) = (self.end().min(Instant::now() + Duration::from_secs(5)), lock(&self.checking));
        *last = None;
        *lock(&self.stop) = None;
        let held = lock(&self.held).clone();
        // A token of another process is one that renewed this lease since, and uses it.
        let is_ours = held["borrowed_until"].is_null() && self.read("answer")["token"] == held["answer"]["token"];
        let lease_id = text(&held["lease_id"]).filter(|_| is_ours);
        self.with_error(lease_id.map_or(Ok(()), |id| self.give_back(end, &id).map(drop)))
    }
    /// The lease of this client, or the remembered one. A remembered lease that has ended is not renewed: machines that
    /// were cloned from one image would share it.
    pub(crate) fn lease_id(&self, status: &Status) -> Option<String> {
        text(&lock(&self.held)["lease_id"]).or_else(|| status.lease_id.clone())
    }
    /// Takes, renews or borrows a lease.
    pub(crate) fn renew(&self, end: Instant, borrow_days: Option<u32>) -> Result<(), Error> {
        self.device_id()?;
        let (status, key, mut more) = (self.status(), self.key()?, object!({}));
        if let Some(id) = self.lease_id(&status) {
            more["lease_id"] = object!(id);
        }
        if let Some(days) = borrow_days {
            more["borrow_days"] = object!(days);
        }
        let said = self.ask(end, &key, LEASE, more)?;
        match said.refused {
            Some(error) if status.state == State::Trial => return Err(error),
            _ if self.key().as_ref() == Ok(&key) => self.take(said),
            _ => {}
        }
        Ok(())
    }
    pub(crate) fn give_back(&self, end: Instant, lease_id: &str) -> Result<bool, Error> {
        let request = self.request("POST", "/api/license/lease/return", &self.key()?);
        let body = object!({ "product_id": self.options.product_id, "lease_id": lease_id });
        let is_returned = json(&self.call(end, request, body.to_string())?)?["returned"] == true;
        *lock(&self.held) = Value::Null;
        if is_returned {
            self.keep("answer", &Value::Null);
        }
        Ok(is_returned)
    }
    /// Seconds until the next renewal.
    fn wait_of(&self, status: &Status, has_failed: bool) -> f64 {
        let time = self.tick(self.now(), 0);
        let left = (seconds(&object!(status.runs_until)) - time) as f64;
        let due = seconds(&lock(&self.held)["renew_after"]);
        let wait = match (status.may_run, has_failed) {
            (false, _) => AFTER_LOSS,
            (true, true) => (left / 4.0).min(LONGEST_RETRY),
            (true, false) if due > 0 => (due - time) as f64,
            (true, false) => left / 2.0,
        };
        // Machines that were started together spread their requests.
        let [byte]: [u8; 1] = rand::generate(&rand::SystemRandom::new()).map_or([0], |random| random.expose());
        (wait * (0.9 + f64::from(byte) / 2560.0)).max(1.0)
    }
}

/// Renews the lease until it is given back or refused.
fn keep(client: &Weak<Client>, stopped: &Receiver<()>, mut status: Status, on_lost: impl Fn(&Status)) {
    let is_stopped = || stopped.try_recv() == Err(TryRecvError::Disconnected);
    loop {
        let has_failed = status.error.as_ref().is_some_and(|error| error.code != "not_remembered");
        let may_run = status.may_run;
        if !may_run && !has_failed {
            return;
        }
        let Some(wait) = client.upgrade().map(|client| client.wait_of(&status, has_failed)) else { return };
        if !has_passed(client, stopped, wait) {
            return;
        }
        let Some(client) = client.upgrade() else { return };
        let mut last = lock(&client.checking);
        *last = None;
        // A release that ran meanwhile must not be undone.
        if is_stopped() {
            return;
        }
        status = client.with_error(client.renew(client.end(), None));
        drop(last);
        if may_run && !status.may_run && !is_stopped() {
            on_lost(&status);
        }
    }
}

/// Waits some seconds of either clock: the monotonic one may stand still while a machine sleeps. False if the renewal
/// ends before.
fn has_passed(client: &Weak<Client>, stopped: &Receiver<()>, wait: f64) -> bool {
    let (began, now) = (Instant::now(), || client.upgrade().map(|client| client.now()));
    let Some(seen) = now() else { return false };
    while let Some(now) = now() {
        let rest = wait - began.elapsed().as_secs_f64().max((now - seen) as f64);
        if rest <= 0.0 {
            return true;
        }
        if stopped.recv_timeout(Duration::from_secs_f64(rest.min(LOOK))) == Err(RecvTimeoutError::Disconnected) {
            return false;
        }
    }
    false
}
