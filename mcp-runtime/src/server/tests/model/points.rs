//! Where what runs waits until the history lets it go on.

use std::{
    future::pending,
    sync::{Arc, Mutex, MutexGuard},
};

use tokio::sync::oneshot;

/// All points of a world, in the order they were come to.
#[derive(Clone, Default)]
pub(super) struct Points(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    waiting: Vec<Point>,
    /// Nobody waits any more.
    are_open: bool,
}

struct Point {
    /// Of which process.
    process: usize,
    go: oneshot::Sender<Go>,
}

/// How it goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Go {
    On,
    /// What is done here fails, if it can.
    Failing,
}

impl Points {
    /// Waits, and for ever if the process is killed meanwhile.
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

    /// Lets one go on, of those that wait.
    pub(super) fn go(&self, which: usize, go: Go) {
        let mut held = self.lock();
        held.waiting.retain(|point| !point.go.is_closed());
        if !held.waiting.is_empty() {
            let which = which % held.waiting.len();
            held.waiting.remove(which).go(go);
        }
    }

    /// Lets all of a process go on. Whether there were any.
    pub(super) fn go_all(&self, process: usize) -> bool {
        let mut held = self.lock();
        let (of_it, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut held.waiting).into_iter().partition(|point| point.process == process);
        held.waiting = others;
        drop(held);
        of_it.into_iter().map(|point| point.go(Go::On)).count() != 0
    }

    /// Whether somebody waits.
    pub(super) fn hold_anybody(&self) -> bool {
        self.lock().waiting.iter().any(|point| !point.go.is_closed())
    }

    /// Nobody of this process goes on ever.
    pub(super) fn kill(&self, process: usize) {
        self.lock().waiting.retain(|point| point.process != process);
    }

    /// Lets all go on, now and later.
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
        // Who has been dropped meanwhile does not mind.
        let _ = self.go.send(go);
    }
}
