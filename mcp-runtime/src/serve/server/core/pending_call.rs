//! A call without a response yet.

use std::{
    borrow::Cow,
    ops::ControlFlow,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use crate::{
    engine::call::{
        CallState,
        body::Body,
        limits::Permit,
        multi_round::{Answering, FutureBody, KeyedCall, MultiRound, ResumeRequest},
        running::{Round, Running},
    },
    wire::protocol::{error::RpcError, frame::Frame},
};

/// The reply to a request, or a call that will have one.
pub(crate) enum RequestReply<'a> {
    /// A response that is already written, such as a list.
    Ready(Frame),
    Done(Body),
    Pending(PendingCall<'a>),
}

/// A call without a response yet.
pub(crate) enum PendingCall<'a> {
    /// The first round of a call, and the call's arguments.
    First(Box<Running>, Cow<'a, str>),
    /// A request that resumes a call.
    Resume(&'static dyn MultiRound, ResumeRequest<'a>),
    /// A call that multi-round support runs with the ledger.
    MultiRound(Arc<CallState>, FutureBody),
}

impl<'a> PendingCall<'a> {
    /// Creates the pending call of a request that resumes a call.
    ///
    /// # Errors
    /// Returns an error if the server has no multi-round support, because such a server has issued no request state.
    pub(crate) fn resume(request: ResumeRequest<'a>) -> Result<Self, RpcError> {
        let multi_round = request.call.0.server.multi_round().get().copied();
        Ok(Self::Resume(multi_round.ok_or_else(RpcError::inauthentic_state)?, request))
    }

    /// Creates a pending call with an idempotency key.
    ///
    /// # Errors
    /// Returns an error if the server uses no ledger.
    pub(crate) fn begin_once(keyed: KeyedCall) -> Result<Self, RpcError> {
        let call = Arc::clone(keyed.running.call());
        let multi_round = call.server.multi_round().get().ok_or_else(RpcError::past_state)?;
        let answering = multi_round.begin_once(keyed);
        Ok(Self::MultiRound(call, answering))
    }

    /// Polls the call once on this thread. Most calls end in their first poll and need no task.
    pub(crate) fn poll_once(self) -> ControlFlow<Body, Self> {
        let (call, answering) = match self {
            Self::First(mut running, arguments) => match running.poll_once() {
                Poll::Ready(Round::Done(outcome)) => {
                    return ControlFlow::Break(Body::done(running.call(), outcome));
                }
                Poll::Ready(Round::Asks) => (Arc::clone(running.call()), answer_with_questions(running, arguments)),
                Poll::Pending => return ControlFlow::Continue(Self::First(running, arguments)),
            },
            Self::Resume(multi_round, request) => (Arc::clone(&request.call.0), multi_round.resume(request)),
            Self::MultiRound(call, answering) => (call, Answering::Later(answering)),
        };
        match answering {
            Answering::Now(body) => ControlFlow::Break(body),
            Answering::Later(mut answering) => match answering.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(body) => ControlFlow::Break(body),
                Poll::Pending => ControlFlow::Continue(Self::MultiRound(call, answering)),
            },
            Answering::Pending(answering) => ControlFlow::Continue(Self::MultiRound(call, answering)),
        }
    }

    /// Returns whether the call is in a session and can continue only after its client has answered.
    pub(crate) fn waits_for_client(&self) -> bool {
        match self {
            Self::First(running, _) => {
                !running.call().revision.is_modern() && running.call().conversation.is_waiting_for_client()
            }
            Self::Resume(..) | Self::MultiRound(..) => false,
        }
    }

    pub(crate) fn call(&self) -> &Arc<CallState> {
        match self {
            Self::First(running, _) => running.call(),
            Self::Resume(_, request) => &request.call.0,
            Self::MultiRound(call, _) => call,
        }
    }

    pub(crate) fn into_owned(self) -> PendingCall<'static> {
        match self {
            // Only multi-round calls compare their arguments later.
            Self::First(running, _) if !running.call().revision.is_modern() => PendingCall::First(running, "".into()),
            Self::First(running, arguments) => PendingCall::First(running, arguments.into_owned().into()),
            Self::Resume(multi_round, request) => {
                let call = Arc::clone(&request.call.0);
                PendingCall::MultiRound(call, multi_round.resume_in_task(request.into_owned()))
            }
            Self::MultiRound(call, answering) => PendingCall::MultiRound(call, answering),
        }
    }

    /// Runs the call until it has a response. The call holds the permit while it runs.
    pub(crate) async fn run(self, permit: Permit) -> Body {
        match self {
            Self::First(mut running, arguments) => {
                running.hold(permit);
                let mut first = First(Some(running));
                let round = first.round().await;
                match (round, first.0.take()) {
                    (Some(Round::Done(outcome)), Some(running)) => Body::done(running.call(), outcome),
                    (Some(Round::Asks), Some(running)) => answer_with_questions(running, arguments).body().await,
                    _ => Body::error(&RpcError::past_state()),
                }
            }
            Self::Resume(multi_round, request) => {
                let _permit = permit;
                multi_round.resume_in_task(request.into_owned()).await
            }
            Self::MultiRound(_, answering) => {
                let _permit = permit;
                answering.await
            }
        }
    }
}

/// Ends the first round of a call with its questions. The server has multi-round support at this point, because every
/// question sets up this support.
fn answer_with_questions(running: Box<Running>, arguments: Cow<'_, str>) -> Answering {
    let multi_round = running.call().server.multi_round().get().copied();
    match multi_round {
        Some(multi_round) => multi_round.ask(running, arguments),
        None => Answering::Now(Body::error(&RpcError::past_state())),
    }
}

/// A call in its first round. Dropping this value drops the call. If `after` or a step has begun, the call continues
/// instead.
struct First(Option<Box<Running>>);

impl First {
    async fn round(&mut self) -> Option<Round> {
        Some(self.0.as_mut()?.round().await)
    }
}

impl Drop for First {
    fn drop(&mut self) {
        if let Some(running) = self.0.take_if(|running| running.must_finish())
            && let Some(multi_round) = running.call().server.multi_round().get().copied()
        {
            multi_round.run_on(running);
        }
    }
}
