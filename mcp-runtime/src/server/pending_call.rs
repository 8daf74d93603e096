//! What a request leads to that may take time.

use std::{
    sync::Arc,
    task::{Context, Poll, Waker},
};

use super::{
    body::Body,
    concurrency::Permit,
    multi_round::{Answering, Keyed, Return},
};
use crate::{
    call::{
        CallState,
        running::{Round, Running},
    },
    protocol::error::RpcError,
};

/// What is no call that runs by itself: it has to do with the ledger.
pub(super) struct Later {
    /// What stands for the request.
    call: Arc<CallState>,
    body: Answering,
}

/// What waits for room, or for something to happen.
pub(super) enum Work {
    /// The first round of a call, and its arguments.
    Call(Box<Running>, Box<str>),
    Later(Later),
}

impl Later {
    /// Nothing where no tool ever asks: then no state is one of this server's.
    pub(super) fn of_return(request: Return) -> Option<Self> {
        let rounds = request.call.0.server.rounds.get()?;
        Some(Self { call: Arc::clone(&request.call.0), body: (rounds.go_on)(request) })
    }

    /// A call that has a key from its client. Nothing where no ledger is used.
    pub(super) fn of_keyed(keyed: Keyed) -> Option<Self> {
        let call = Arc::clone(keyed.running.call());
        let rounds = call.server.rounds.get()?;
        Some(Self { body: (rounds.begin_once)(keyed), call })
    }

    /// The end of a first round that asks. Whoever asks has set how.
    pub(super) fn of_asks(running: Box<Running>, arguments: Box<str>) -> Option<Self> {
        let rounds = running.call().server.rounds.get()?;
        let call = Arc::clone(running.call());
        Some(Self { call, body: (rounds.ask)(running, arguments) })
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
    pub(super) async fn run(self, permit: Permit) -> Body {
        match self {
            Self::Call(mut running, arguments) => {
                running.hold(permit);
                let mut first = First(Some(running));
                let round = first.round().await;
                match (round, first.0.take()) {
                    (Some(Round::Done(outcome)), Some(running)) => Body::done(running.call(), outcome),
                    (Some(Round::Asks), Some(running)) => match Later::of_asks(running, arguments) {
                        Some(later) => later.body.await,
                        None => Body::error(&RpcError::past_state()),
                    },
                    _ => Body::error(&RpcError::past_state()),
                }
            }
            Self::Later(later) => {
                let _permit = permit;
                later.body.await
            }
        }
    }
}

/// A call in its first round. Dropped, it is dropped as well, unless what must not be left half done has begun.
struct First(Option<Box<Running>>);

impl First {
    async fn round(&mut self) -> Option<Round> {
        Some(self.0.as_mut()?.round().await)
    }
}

impl Drop for First {
    fn drop(&mut self) {
        if let Some(running) = self.0.take_if(|running| running.must_go_on())
            && let Some(rounds) = running.call().server.rounds.get()
        {
            (rounds.run_on)(running);
        }
    }
}
