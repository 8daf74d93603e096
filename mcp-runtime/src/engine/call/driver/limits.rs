//! What a running call may use: time, and concurrency slots.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{sync::Semaphore, time::Sleep};

/// The remaining running time of a call. The time starts with the first poll, and pauses while the call waits for
/// answers.
pub(crate) enum Deadline {
    Never,
    Paused { whole: Duration, left: Duration },
    Running { whole: Duration, sleep: Pin<Box<Sleep>> },
}

impl Deadline {
    pub(crate) fn new(timeout: Option<Duration>) -> Self {
        timeout.map_or(Self::Never, |timeout| Self::Paused { whole: timeout, left: timeout })
    }

    pub(crate) fn pause(&mut self) {
        if let Self::Running { whole, sleep } = self {
            let left = sleep.deadline().saturating_duration_since(tokio::time::Instant::now());
            *self = Self::Paused { whole: *whole, left };
        }
    }

    /// Polls the timer. As soon as the call has run for the whole timeout, returns the length of the timeout.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Duration> {
        if let Self::Paused { whole, left } = *self {
            *self = Self::Running { whole, sleep: Box::pin(tokio::time::sleep(left)) };
        }
        match self {
            Self::Running { whole, sleep } => sleep.as_mut().poll(cx).map(|()| *whole),
            _ => Poll::Pending,
        }
    }
}

/// The concurrency slots of a running call: one slot of the server and one slot of the client. Dropping the permit
/// releases them.
#[derive(Default)]
pub(crate) struct Permit {
    pub(crate) of_server: Option<Arc<Semaphore>>,
    pub(crate) of_client: Option<Arc<Semaphore>>,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.of_server.iter().chain(&self.of_client).for_each(|places| places.add_permits(1));
    }
}
