//! Runs the calls of a batch, several at the same time.

use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll},
};

use super::response::RpcResponse;

/// A call of a batch. Its output is the response, or `None` for a notification.
pub(super) type BatchCall<'a> = Pin<Box<dyn Future<Output = Option<RpcResponse>> + Send + 'a>>;

/// The most calls of a batch that run at the same time. More would let one request take the place of many.
const CONCURRENT: usize = 8;

/// Waits for all calls, and returns the responses in the order of the calls. At most [`CONCURRENT`] calls run at the same
/// time; the others follow in their order.
///
/// The calls are not spawned as tasks. So if the client disconnects, all calls are dropped.
pub(super) async fn run_all(calls: Vec<BatchCall<'_>>) -> Vec<RpcResponse> {
    let mut calls: Vec<BatchProgress<'_>> = calls.into_iter().map(BatchProgress::Running).collect();
    poll_fn(|cx| {
        let mut running = 0;
        for call in &mut calls {
            if running == CONCURRENT {
                break;
            }
            running += usize::from(call.poll(cx).is_pending());
        }
        if running == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    let responses = calls.into_iter().filter_map(|call| match call {
        BatchProgress::Done(response) => response,
        BatchProgress::Running(_) => None,
    });
    responses.collect()
}

enum BatchProgress<'a> {
    Running(BatchCall<'a>),
    Done(Option<RpcResponse>),
}

impl BatchProgress<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Self::Running(call) = self {
            let response = std::task::ready!(call.as_mut().poll(cx));
            *self = Self::Done(response);
        }
        Poll::Ready(())
    }
}
