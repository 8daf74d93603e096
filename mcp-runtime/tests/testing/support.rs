//! Reads the texts of panics.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

/// Runs `test`, which must panic, and returns the text of the panic.
pub(crate) async fn panic_of<T>(test: impl Future<Output = T>) -> String {
    let mut test = pin!(test);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| test.as_mut().poll(cx))) {
        Ok(polled) => polled.map(|_| panic!("it does not panic")),
        Err(panic) => Poll::Ready(*panic.downcast::<String>().expect("a panic has a text")),
    })
    .await
}

/// Returns the text before the transcript.
pub(crate) fn lead(text: &str) -> &str {
    text.split_once("\n\nmessages").map_or(text, |(lead, _)| lead)
}
