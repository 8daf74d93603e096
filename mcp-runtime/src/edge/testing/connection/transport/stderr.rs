//! Keeps what a child process writes to standard error, to show it if the test panics.

use std::{collections::VecDeque, io::Read, process::ChildStderr, sync::Arc, thread};

use crate::base::mutex::Mutex;
use tokio::sync::oneshot;

/// How many bytes are kept. Earlier bytes are dropped.
const KEPT: usize = 64 * 1024;

/// The last part of the text that the process has written to standard error so far. A thread collects this text here.
pub(crate) struct StandardError {
    kept: Arc<Mutex<VecDeque<u8>>>,
    ended: Option<oneshot::Receiver<()>>,
}

impl StandardError {
    pub(crate) fn read(mut stream: ChildStderr) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let (end, ended) = oneshot::channel();
        let reader = Arc::clone(&kept);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut bytes) {
                let mut kept = reader.lock();
                kept.extend(&bytes[..count]);
                let excess = kept.len().saturating_sub(KEPT);
                kept.drain(..excess);
            }
            // The client may be gone.
            let _ = end.send(());
        });
        Self { kept, ended: Some(ended) }
    }

    /// Waits until the thread has read the whole standard error.
    pub(crate) async fn ended(&mut self) {
        if let Some(ended) = &mut self.ended {
            // An error also means that the thread has ended.
            let _ = ended.await;
            self.ended = None;
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.kept.lock().make_contiguous()).into_owned()
    }
}
