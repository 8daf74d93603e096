//! A call of another server's tool within a call of this server: its questions are those of the outer call, and what
//! comes back is recorded, so that a call which is rebuilt does not send a request twice.
//!
//! Each request is a step: its beginning is recorded before it is sent, and then its outcome. Since 2026-07-28, the
//! outcome can be questions and a `requestState`, which the next request returns with the answers, or a task, which is
//! followed. A server with sessions asks while the request stays open: such a call lives and ends with its connection.

use std::{fmt, marker::PhantomData, pin::Pin, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    Remote, RemoteError,
    call::RemoteCall,
    outer::{OuterCall, RemoteTarget},
    pass_on::{pass_on_task, passed_on},
    request::{RequestOutcome, SessionCall},
    sent::{LARGEST_STATE, SentRecord},
};
use crate::{
    base::{
        error::{Result, ToolError},
        mutex::Mutex,
    },
    engine::{
        call::{Call, CanCall, Ctx, call_target::CallTarget},
        compose::RunsOn,
    },
    serve::client::{ClientRequest, ProtocolError, Question, RoundInput},
    wire::protocol::result::CallToolResult,
};

/// A server that is busy is asked again after this time, or later.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

impl RemoteCall {
    /// Calls the tool within a call of this server. The other server can ask the client of this call and sample its
    /// model, its log messages and its progress go to this client, and it is told if the call is cancelled. The keys of its
    /// questions begin with the names of the server and the tool.
    ///
    /// If this call is rebuilt, no request is sent twice: each is a [step](Ctx::step). A request without a recorded
    /// outcome is sent again only if the tool is `read_only` or `idempotent`, or if its server minds idempotency keys;
    /// otherwise the call fails with an unknown outcome. Such a request is also sent again, until the
    /// [timeout](Remote::timeout), if the server refuses it for now with `retryAfterMs`. A server before 2026-07-28 asks
    /// over its connection, so if this connection or this process ends while the user thinks, the call fails, and is not
    /// sent again.
    ///
    /// If the server goes on with the call in a task, this call waits for the result. Its `statusMessage` is progress, and
    /// its questions are those of this call. A call that is rebuilt follows the same task. The task is cancelled with this
    /// call.
    ///
    /// # Errors
    /// Fails with a [`RemoteError`](super::RemoteError), or a [`StepError`](crate::call::StepError). A result with
    /// [`is_error`](CallToolResult::is_error) is a result.
    pub fn within<S, P: CanCall>(self, ctx: &Ctx<S, P>) -> RemoteCallWithin<'_> {
        RemoteCallWithin { begun: self.begin(ctx.call_in_progress()), context: PhantomData }
    }

    /// Begins the call within `outer`. The keys of its questions and steps are reserved here and not in the first poll,
    /// because `select!` polls in random order.
    fn begin(self, outer: &Call) -> Result<RunsOn> {
        self.begin_as(outer, false)
    }

    /// Begins the call. `is_all` says whether it is all that `client_call` does, so that questions keep their keys.
    pub(super) fn begin_as(self, client_call: &Call, is_all: bool) -> Result<RunsOn> {
        let target = Arc::new(RemoteTarget::new(&self.remote, &self.tool));
        let too_far = || RemoteError::Loop { server: self.remote.name().to_owned() };
        let call = client_call.nest(Arc::clone(&target) as Arc<dyn CallTarget>).ok_or_else(too_far)?;
        let mut outer = OuterCall::new(call.clone(), target, self.timeout).ok_or_else(too_far)?;
        if is_all {
            outer = outer.with_keys_of(client_call);
        }
        let request = self.request()?;
        let Self { remote, tool, is_repeatable, .. } = self;
        let client_call = client_call.clone();
        let calling = async move {
            outer.prepare(&remote, &tool, is_repeatable).await;
            let result = match run(&remote, request, &outer).await {
                // Boxed, because few calls become tasks.
                Ok(SentRecord::Task(task)) if is_all => Box::pin(pass_on_task(remote, task, outer, client_call)).await,
                Ok(SentRecord::Task(task)) => Box::pin(outer.followed(&remote, task)).await,
                Ok(sent) => sent.into_result(&remote),
                Err(error) => Err(error),
            };
            if is_all { result.map_err(passed_on) } else { result }
        };
        Ok(RunsOn::new(Box::pin(calling), call))
    }
}

/// A call of another server's tool within a call, to await. See [`RemoteCall::within`].
#[must_use = "a tool is called only when this is awaited"]
pub struct RemoteCallWithin<'a> {
    begun: Result<RunsOn>,
    context: PhantomData<&'a ()>,
}

impl<'a> IntoFuture for RemoteCallWithin<'a> {
    type Output = Result<CallToolResult>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.begun?.await })
    }
}

/// Sends the requests of the call, one for each round, until there is a result or a task.
pub(super) async fn run(remote: &Remote, request: ClientRequest, outer: &OuterCall) -> Result<SentRecord> {
    let mut input = RoundInput { idempotency_key: outer.idempotency_key(), ..RoundInput::default() };
    loop {
        // A session that asks stays open outside of the step, because a step cannot ask.
        let open = Mutex::new(None);
        let sending = async { Ok(outer.send(remote, &request, input.clone(), &open).await) };
        let mut sent = outer.once("send", Box::pin(sending)).await?;
        if let SentRecord::Again = sent {
            sent = outer.send(remote, &request, input.clone(), &open).await;
        }
        match sent {
            SentRecord::Asks { questions, state } => input = outer.answered(remote, &questions, state).await?,
            SentRecord::Session => {
                let open = open.lock().take();
                return in_session(remote, outer, open).await;
            }
            other => return Ok(other),
        }
    }
}

/// Answers the questions of a session until there is a result. `call` is `None` if the call was rebuilt: its connection
/// is gone then.
async fn in_session(remote: &Remote, outer: &OuterCall, call: Option<Box<SessionCall>>) -> Result<SentRecord> {
    let mut ended = SentRecord::lost(remote);
    let mut open = call;
    while let Some(call) = open.take() {
        let answer = outer.ask_in_session(&call.question).await;
        match outer.until_cancelled(call.answer(answer, outer)).await {
            Some(Ok(RequestOutcome::Asking(next))) => open = Some(next),
            Some(outcome) => ended = SentRecord::of(outcome),
            None => ended = SentRecord::Cancelled,
        }
    }
    // The end is recorded, so that each later replay ends in the same way.
    outer.once("end", Box::pin(async { Ok(ended) })).await
}

/// Returns how long to wait before the same request is sent again, if the server has asked for it: it is busy, for
/// example because it still runs this request, which another process has sent before.
pub(super) fn pause_asked_for(error: &ProtocolError) -> Option<Duration> {
    error.data["retryAfterMs"].as_u64().map(|pause| Duration::from_millis(pause).max(SHORTEST_PAUSE))
}

/// Tells that an earlier process may have sent the request, too, so that it is not repeated in another call.
fn still_busy(mut refused: RemoteError) -> RemoteError {
    if let RemoteError::Refused { error, .. } = &mut refused {
        error.message += "; it may still run an earlier request of this call, so check that before you repeat it";
    }
    refused
}

impl OuterCall {
    /// Sends one request, and sends it again if it can be sent twice and the server has refused it for now. A session that
    /// asks is stored in `open`.
    async fn send(
        &self,
        remote: &Remote,
        request: &ClientRequest,
        input: RoundInput,
        open: &Mutex<Option<Box<SessionCall>>>,
    ) -> SentRecord {
        let (begun, limit, mut is_repeated) = (Instant::now(), self.limit(remote), false);
        loop {
            let outcome = match self.until_cancelled(remote.send(request, input.clone(), self.sender(), self)).await {
                None => return SentRecord::Cancelled,
                Some(Ok(RequestOutcome::Asking(call))) => {
                    *open.lock() = Some(call);
                    return SentRecord::Session;
                }
                // The reply was late, and no one will follow the task.
                Some(Ok(RequestOutcome::Task(task))) if self.is_over() => {
                    task.cancel(remote.clone(), self.sender());
                    return SentRecord::Cancelled;
                }
                Some(outcome) => outcome,
            };
            let refusal = match &outcome {
                Err(RemoteError::Refused { error, .. }) if self.may_send_again() => Some(error),
                _ => None,
            };
            match refusal.and_then(|error| pause_asked_for(error)) {
                Some(pause) if begun.elapsed().saturating_add(pause) < limit => {
                    if self.is_cancelled_within(pause).await {
                        return SentRecord::Cancelled;
                    }
                    is_repeated = true;
                }
                Some(_) if is_repeated => return SentRecord::of(outcome.map_err(still_busy)),
                _ => return SentRecord::of(outcome),
            }
        }
    }

    /// Asks the questions of a round. Returns what the next request has.
    async fn answered(&self, remote: &Remote, questions: &[Question], state: Option<String>) -> Result<RoundInput> {
        if let Some(length) = state.as_ref().map(String::len).filter(|length| *length > LARGEST_STATE) {
            return Err(ToolError::from(format!(
                "the server `{}` wants back a state of {length} bytes; at most {LARGEST_STATE} are passed on",
                remote.name()
            )));
        }
        let answers = self.ask_all(questions).await?;
        let input_responses = (!questions.is_empty()).then_some(answers);
        Ok(RoundInput { input_responses, request_state: state, ..RoundInput::default() })
    }
}

impl fmt::Debug for RemoteCallWithin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteCallWithin").finish_non_exhaustive()
    }
}
