//! What a request leads to that may take time.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use tokio::sync::OwnedSemaphorePermit;

use super::{
    body::Body,
    leading,
    rounds::{self, Return},
};
use crate::call::{
    CallState,
    running::{Round, Running},
};

/// The way from a request to what answers it.
pub(super) enum Work<'a> {
    /// The first round of a call, and its arguments.
    Call(Running, &'a str),
    Later(Later),
}

/// What is no call that runs by itself: it has to do with the ledger.
pub(super) struct Later {
    /// What stands for the request.
    call: Arc<CallState>,
    body: Pin<Box<dyn Future<Output = Body> + Send>>,
}

/// The same, with nothing borrowed.
pub(super) enum Waiting {
    Call(Running, Box<str>),
    Later(Later),
}

impl Later {
    pub(super) fn of_return(request: Return) -> Self {
        Self { call: Arc::clone(&request.call.0), body: Box::pin(rounds::go_on(request)) }
    }

    fn of_asks(running: Running, arguments: Box<str>) -> Self {
        let call = Arc::clone(running.call());
        Self { call, body: Box::pin(async move { leading::end(Round::Asks, running, &arguments).await }) }
    }
}

impl Work<'_> {
    pub(super) fn call(&self) -> &Arc<CallState> {
        match self {
            Self::Call(running, _) => running.call(),
            Self::Later(later) => &later.call,
        }
    }

    /// Whether it is known to hold up its thread.
    pub(super) fn blocks(&self) -> bool {
        matches!(self, Self::Call(running, _) if running.blocks())
    }

    /// Polls it where it stands. Most is done with that, and needs no task.
    #[allow(clippy::result_large_err, reason = "it is handed back to where it came from")]
    pub(super) fn poll_once(self) -> Result<Body, Self> {
        let mut later = match self {
            Self::Call(mut running, arguments) => match running.poll_once() {
                Poll::Ready(Round::Done(outcome)) => return Ok(Body::done(running.call(), outcome)),
                Poll::Ready(Round::Asks) => Later::of_asks(running, arguments.into()),
                Poll::Pending => return Err(Self::Call(running, arguments)),
            },
            Self::Later(later) => later,
        };
        match later.body.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(body) => Ok(body),
            Poll::Pending => Err(Self::Later(later)),
        }
    }

    /// Only a call of several requests is held against its arguments again.
    pub(super) fn into_owned(self) -> Waiting {
        match self {
            Self::Call(running, arguments) => {
                let arguments = if running.call().revision.is_modern() { arguments } else { "" };
                Waiting::Call(running, arguments.into())
            }
            Self::Later(later) => Waiting::Later(later),
        }
    }
}

impl Waiting {
    pub(super) fn call(&self) -> &Arc<CallState> {
        match self {
            Self::Call(running, _) => running.call(),
            Self::Later(later) => &later.call,
        }
    }

    /// Does the work, which may go on as long as it has the permit.
    pub(super) async fn run(self, permit: OwnedSemaphorePermit) -> Body {
        match self {
            Self::Call(mut running, arguments) => {
                running.hold(permit);
                leading::lead(running, arguments).await
            }
            Self::Later(later) => {
                let _permit = permit;
                later.body.await
            }
        }
    }
}
