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

/// What is no call that runs by itself: it has to do with the ledger.
pub(super) struct Later {
    /// What stands for the request.
    call: Arc<CallState>,
    body: Pin<Box<dyn Future<Output = Body> + Send>>,
}

/// What waits for room, or for something to happen.
pub(super) enum Work {
    /// The first round of a call, and its arguments.
    Call(Running, Box<str>),
    Later(Later),
}

impl Later {
    pub(super) fn of_return(request: Return) -> Self {
        Self { call: Arc::clone(&request.call.0), body: Box::pin(rounds::go_on(request)) }
    }

    /// The end of a first round that asks.
    pub(super) fn of_asks(running: Running, arguments: Box<str>) -> Self {
        let call = Arc::clone(running.call());
        Self { call, body: Box::pin(async move { leading::end(Round::Asks, running, &arguments).await }) }
    }

    /// Polls it where it stands. With a ledger in memory most is done with that, and needs no task.
    pub(super) fn poll_once(&mut self) -> Poll<Body> {
        self.body.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }
}

impl Work {
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
