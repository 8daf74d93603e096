//! Points where operations wait until an event lets them continue.

use std::{
    future::pending,
    sync::{Arc, Mutex, MutexGuard},
};

use tokio::sync::oneshot;

/// The number of the process of another server, which is never killed.
pub(super) const OTHER_SERVER: usize = usize::MAX;

/// All waiting operations of a world, in order of arrival.
#[derive(Clone, Default)]
pub(super) struct Points(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    waiting: Vec<Point>,
    /// Whether operations pass all points without waiting.
    are_open: bool,
}

struct Point {
    /// The process of the operation.
    process: usize,
    go: oneshot::Sender<Go>,
}

/// How an operation continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Go {
    On,
    /// A ledger operation fails. The other operations continue.
    Failing,
}

impl Points {
    /// Waits at a point. Never returns if the process is killed.
    pub(super) async fn pass(&self, process: usize) -> Go {
        let waiting = {
            let mut held = self.lock();
            if held.are_open {
                return Go::On;
            }
            let (go, waiting) = oneshot::channel();
            held.waiting.push(Point { process, go });
            waiting
        };
        match waiting.await {
            Ok(go) => go,
            Err(_) => pending().await,
        }
    }

    /// Lets one waiting operation continue.
    pub(super) fn go(&self, which: usize, go: Go) {
        let mut held = self.lock();
        held.waiting.retain(|point| !point.go.is_closed());
        if !held.waiting.is_empty() {
            let which = which % held.waiting.len();
            held.waiting.remove(which).go(go);
        }
    }

    /// Lets all operations of a process continue. Returns whether there were any.
    pub(super) fn go_all(&self, process: usize) -> bool {
        let mut held = self.lock();
        let (of_it, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut held.waiting).into_iter().partition(|point| point.process == process);
        held.waiting = others;
        drop(held);
        of_it.into_iter().map(|point| point.go(Go::On)).count() != 0
    }

    /// Whether an operation waits.
    pub(super) fn has_waiting(&self) -> bool {
        self.lock().waiting.iter().any(|point| !point.go.is_closed())
    }

    /// Stops all operations of this process for ever.
    pub(super) fn kill(&self, process: usize) {
        self.lock().waiting.retain(|point| point.process != process);
    }

    /// If `are_open`, lets all waiting and later operations continue. Otherwise makes later operations wait.
    pub(super) fn open(&self, are_open: bool) {
        let mut held = self.lock();
        held.are_open = are_open;
        let waiting = if are_open { std::mem::take(&mut held.waiting) } else { Vec::new() };
        drop(held);
        waiting.into_iter().for_each(|point| point.go(Go::On));
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap()
    }
}

impl Point {
    fn go(self, go: Go) {
        // Fails if the operation was dropped meanwhile.
        let _ = self.go.send(go);
    }
}
