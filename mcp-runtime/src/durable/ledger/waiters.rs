//! Requests of this process that wait for what another request has taken up.

use std::{collections::HashMap, time::Duration};

use crate::mutex::Mutex;
use tokio::{sync::watch, time::timeout};

/// How many wait for one call.
const MOST: usize = 16;

/// By the name of the call's record, what tells those who wait for it that it has changed.
#[derive(Default)]
pub(super) struct Waiting(Mutex<HashMap<Box<str>, watch::Sender<()>>>);

/// The place of one request that waits.
pub(super) struct Place<'a> {
    waiting: &'a Waiting,
    name: &'a str,
    changes: Option<watch::Receiver<()>>,
}

impl Waiting {
    /// A place, unless all are taken.
    pub(super) fn enter<'a>(&'a self, name: &'a str) -> Option<Place<'a>> {
        let mut calls = self.0.lock();
        let changes = match calls.get(name) {
            Some(call) if call.receiver_count() < MOST => call.subscribe(),
            Some(_) => return None,
            None => calls.entry(name.into()).or_default().subscribe(),
        };
        Some(Place { waiting: self, name, changes: Some(changes) })
    }

    /// The record has changed in this process.
    pub(super) fn tell(&self, name: &str) {
        if let Some(call) = self.0.lock().get(name) {
            call.send_replace(());
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}

impl Place<'_> {
    /// Waits for a change since the place was taken, or since the last one; but no longer than this.
    pub(super) async fn change(&mut self, limit: Duration) {
        if let Some(changes) = &mut self.changes {
            // Too late or not: whoever waits looks.
            let _ = timeout(limit, changes.changed()).await;
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut calls = self.waiting.0.lock();
        self.changes = None;
        if calls.get(self.name).is_some_and(|call| call.receiver_count() == 0) {
            calls.remove(self.name);
        }
    }
}
