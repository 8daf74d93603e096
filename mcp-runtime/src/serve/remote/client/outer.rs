//! The call of this server within which another server is called.

use std::{
    future::poll_fn,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::time::timeout;

use super::{
    Remote,
    questions::{ForeignQuestion, cancelled, error_response},
    request::{Hears, Sender},
    sent::SentRecord,
};
use crate::{
    base::error::Result,
    engine::{
        call::{
            AskError, Call, Ctx,
            call_target::CallTarget,
            multi_round::multi_round,
            once::{PartFuture, Recorded},
            operation::Operation,
            passed_on::PassedOn,
            request::Request,
        },
        durable::KEYS_KEPT,
    },
    serve::client::{Log, Question, Report, ServerNotification},
    wire::protocol::capability::{Capabilities, Capability},
};

/// What another server can ask of the client of a call, or show it.
const PASSED_ON: &[Capability] = &[
    Capability::Elicitation,
    Capability::ElicitationUrl,
    Capability::Sampling,
    Capability::SamplingTools,
    Capability::Roots,
    Capability::Views,
];

/// How long a cancelled request can still have a reply, if it must not be sent again.
pub(super) const LATE_REPLY: Duration = Duration::from_secs(1);

/// A call of another server's tool, as a part of the call of this server.
pub(super) struct OuterCall {
    call: Call,
    /// The call whose path is before the keys of questions.
    asks_in: Call,
    target: Arc<RemoteTarget>,
    timeout: Option<Duration>,
    passed_on: PassedOn,
    /// Whether the server recognizes a request by its idempotency key.
    minds_keys: bool,
}

/// A tool of another server, or another item.
pub(super) struct RemoteTarget {
    /// The names of the server and the tool, such as `github/create_issue`.
    name: String,
    operation: Operation,
    /// Whether a request can be sent twice. Known before the first one is sent.
    may_send_again: AtomicBool,
}

impl RemoteTarget {
    pub(super) fn new(remote: &Remote, tool: &str) -> Self {
        let name = format!("{}/{tool}", remote.name());
        Self { name, operation: Operation::CallTool, may_send_again: AtomicBool::new(false) }
    }

    /// Makes it an item of another kind.
    pub(super) fn of(self, operation: Operation) -> Self {
        Self { operation, ..self }
    }

    pub(super) fn set_may_send_again(&self, may: bool) {
        self.may_send_again.store(may, Ordering::Relaxed);
    }

    pub(super) fn may_send_again(&self) -> bool {
        self.may_send_again.load(Ordering::Relaxed)
    }
}

impl CallTarget for RemoteTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn operation(&self) -> Operation {
        self.operation
    }

    fn may_run_again(&self) -> bool {
        self.may_send_again()
    }

    fn is_replayable(&self) -> bool {
        true
    }
}

impl OuterCall {
    /// Returns `None` if the call has come through too many servers.
    pub(super) fn new(call: Call, target: Arc<RemoteTarget>, timeout: Option<Duration>) -> Option<Self> {
        let passed_on = call.0.request().as_ref().map(|request| request.passed_on.clone()).unwrap_or_default();
        let asks_in = call.clone();
        Some(Self { call, asks_in, target, timeout, passed_on: passed_on.next()?, minds_keys: false })
    }

    /// Lets questions have the keys that the other server gave them: `outer` does nothing else.
    pub(super) fn with_keys_of(self, outer: &Call) -> Self {
        Self { asks_in: outer.clone(), ..self }
    }

    /// Finds out whether a request can be sent twice. Only calls that can be rebuilt send one again.
    pub(super) async fn prepare(&mut self, remote: &Remote, tool: &str, is_repeatable: Option<bool>) {
        if self.call.0.revision.is_modern() {
            // As long as its state or its own key is valid, a client can let this call be rebuilt.
            let sends_again_for = self.call.0.registered().definition.states_kept().max(KEYS_KEPT);
            self.minds_keys = remote.minds_keys(sends_again_for).await;
            let may_send_again = self.minds_keys || remote.may_call_again(tool, is_repeatable).await;
            self.target.set_may_send_again(may_send_again);
        }
    }

    /// Runs a part of the call once.
    pub(super) async fn once(&self, name: &str, part: PartFuture<'_, SentRecord>) -> Result<SentRecord> {
        let recorded = if self.target.may_send_again() { &Recorded::SENT_AGAIN } else { &Recorded::SENT };
        self.call.once(name, part, recorded).await
    }

    /// Follows a task until it has news. Runs again if its outcome is unknown: to ask for the status twice, or to answer
    /// twice, has no further effect.
    pub(super) async fn once_followed(&self, part: PartFuture<'_, SentRecord>) -> Result<SentRecord> {
        self.target.set_may_send_again(true);
        self.call.once("follow", part, &Recorded::FOLLOWED).await
    }

    /// Returns the idempotency key of the first request, if the server minds it. Later ones have a state.
    pub(super) fn idempotency_key(&self) -> Option<String> {
        self.minds_keys.then(|| multi_round().idempotency_key(&self.call.0, &self.call.key("send")))
    }

    /// Returns for whom the requests are sent.
    pub(super) fn sender(&self) -> Sender {
        let state = &self.call.0;
        let client = state.client();
        Sender {
            abilities: client.capabilities().intersection(Capabilities::of(PASSED_ON)),
            log_level: state.request().as_ref().and_then(Request::least_level),
            passed_on: self.passed_on.clone(),
            principal: state.principal(),
            is_remote: state.is_remote,
            timeout: self.timeout,
            may_send_again: self.may_send_again(),
        }
    }

    /// Asks the client of the call, all questions in one round. Returns the answers by their keys.
    ///
    /// # Errors
    /// Fails if a question has no answer that can be passed on.
    pub(super) async fn ask_all(&self, questions: &[Question]) -> Result<Map<String, Value>> {
        let mut asked = Vec::with_capacity(questions.len());
        for question in questions {
            asked.push((question, Some(ForeignQuestion::new(&self.asks_in, question)?), None));
        }
        poll_fn(|cx| {
            for (question, open, answer) in &mut asked {
                if let Some(asking) = open
                    && let Poll::Ready(got) = asking.poll(cx)
                {
                    *open = None;
                    *answer = Some(got.or_else(|error| cancelled(question, error)));
                }
            }
            if asked.iter().all(|(_, open, _)| open.is_none()) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        let answers = asked.into_iter().filter_map(|(question, _, answer)| Some((question.key.clone(), answer?)));
        Ok(answers.map(|(key, answer)| Ok((key, answer?))).collect::<Result<_, AskError>>()?)
    }

    /// Asks the client of the call. Returns the response for the server: `result` or `error`, and its value.
    pub(super) async fn ask_in_session(&self, question: &Question) -> (&'static str, Value) {
        let asked = async {
            let mut asking = ForeignQuestion::new(&self.asks_in, question)?;
            poll_fn(|cx| asking.poll(cx)).await.or_else(|error| cancelled(question, error))
        };
        match asked.await {
            Ok(answer) => ("result", answer),
            Err(error) => ("error", error_response(&error)),
        }
    }

    /// Returns the same call of the other server as a part of `call`, which goes on after the call before has ended.
    #[cfg(feature = "actions")]
    pub(super) fn moved_to(self, call: Call) -> Self {
        Self { asks_in: call.clone(), call, minds_keys: false, ..self }
    }

    /// Whether the call can go on after its future was dropped: a repeated request, or that of a later round, rebuilds it.
    /// If the whole call was not dropped, its author has dropped this part of it.
    pub(super) fn may_be_rebuilt(&self) -> bool {
        self.call.0.revision.is_modern() && self.call.0.end.is_cancelled()
    }

    /// Whether the call was cancelled, and no later request rebuilds it.
    pub(super) fn is_over(&self) -> bool {
        !self.call.0.revision.is_modern() && self.call.0.end.is_cancelled()
    }

    /// Whether a request can be sent twice.
    pub(super) fn may_send_again(&self) -> bool {
        self.target.may_send_again()
    }

    /// Returns how long a request can take.
    pub(super) fn limit(&self, remote: &Remote) -> Duration {
        self.timeout.unwrap_or(remote.settings.timeout)
    }

    /// Waits. Returns at once if the call is cancelled.
    pub(super) async fn is_cancelled_within(&self, time: Duration) -> bool {
        timeout(time, self.call.0.end.cancelled()).await.is_ok()
    }

    /// Waits for the end of a request, and drops the request if the call is cancelled. A reply that is about to come
    /// still counts, because it tells what the request has done; it is not needed if the request can be sent again.
    pub(super) async fn until_cancelled<T>(&self, request: impl Future<Output = T>) -> Option<T> {
        let late = if self.target.may_send_again() { Duration::ZERO } else { LATE_REPLY };
        self.until_cancelled_for(late, request).await
    }

    /// Waits for the end of a request, which can take this much longer if the call is cancelled.
    pub(super) async fn until_cancelled_for<T>(&self, late: Duration, request: impl Future<Output = T>) -> Option<T> {
        let mut request = pin!(request);
        tokio::select! {
            biased;
            output = &mut request => return Some(output),
            () = self.call.0.end.cancelled() => {}
        }
        if late.is_zero() { None } else { timeout(late, request).await.ok() }
    }
}

impl Hears for OuterCall {
    fn hear(&self, notification: ServerNotification) {
        let ctx: Ctx = self.call.context();
        match notification {
            ServerNotification::Log(Log { level, data, .. }) => ctx.log(level, data),
            ServerNotification::Progress(Report { progress, total, message }) => {
                // Without this, a value from 0 to 1 would have the total 1.
                let mut report = ctx.progress(progress).total(total.unwrap_or(f64::INFINITY));
                if let Some(message) = message {
                    report = report.message(message);
                }
                drop(report);
            }
            ServerNotification::Other { .. } => {}
        }
    }
}
