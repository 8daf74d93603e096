//! Captures the output of `tracing` as text.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, Once},
};

use tracing::{Dispatch, dispatcher::DefaultGuard};
use tracing_subscriber::fmt::MakeWriter;

/// Makes a subscriber the one of this thread.
pub(crate) fn set_default(subscriber: impl Into<Dispatch>) -> DefaultGuard {
    // Without a global subscriber `tracing` may remember for all threads that an event is disabled, if a thread without a
    // subscriber is the first to reach it.
    static GLOBAL: Once = Once::new();
    GLOBAL.call_once(|| tracing::subscriber::set_global_default(tracing_subscriber::registry()).unwrap());
    tracing::dispatcher::set_default(&subscriber.into())
}

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
