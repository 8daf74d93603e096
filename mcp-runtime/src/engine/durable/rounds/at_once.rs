//! Polls futures that need no task, because their ledger is in memory.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

/// Polls a future once and returns its output. Returns `None` if the future is pending.
pub(super) fn at_once<T>(future: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Polls a future that waits only for a ledger in memory, and returns its output.
pub(super) fn in_memory<T>(future: Pin<&mut impl Future<Output = T>>) -> T {
    at_once(future).expect("every operation of a ledger in memory completes when it is first polled")
}
