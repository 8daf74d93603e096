//! The effects of steps that a test counts and holds.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::watch;

pub(crate) struct Deeds {
    done: Mutex<Vec<String>>,
    running: AtomicUsize,
    gate: watch::Sender<bool>,
}

impl Deeds {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { done: Mutex::default(), running: AtomicUsize::new(0), gate: watch::Sender::new(true) })
    }

    pub(crate) fn done(&self) -> Vec<String> {
        self.done.lock().unwrap().clone()
    }

    /// Records an effect. Returns how many effects there are, including this one.
    pub(crate) async fn does(&self, deed: &str) -> usize {
        self.running.fetch_add(1, Ordering::SeqCst);
        self.gate.subscribe().wait_for(|open| *open).await.unwrap();
        self.running.fetch_sub(1, Ordering::SeqCst);
        let mut done = self.done.lock().unwrap();
        done.push(deed.to_owned());
        done.len()
    }

    pub(crate) fn hold(&self) {
        self.gate.send_replace(false);
    }

    pub(crate) fn let_go(&self) {
        self.gate.send_replace(true);
    }

    pub(crate) async fn is_running(&self) {
        while self.running.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    }
}
