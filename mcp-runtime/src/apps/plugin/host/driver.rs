//! Runs one call to its end. A new call begins with its first request, and a stored call with its stored step.

use std::{
    future::{pending, poll_fn},
    pin::pin,
    sync::{Arc, atomic::Ordering},
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::{
    sync::oneshot,
    time::{Instant, sleep, timeout},
};

use super::{exchange, handler::HandlerTask, state::HostState};
use crate::{
    apps::plugin::{
        calls::{
            answer::PluginAnswer,
            live::{Command, EngineReply, LiveCall},
            record::{CallRecord, CallStep},
        },
        timeline::{event::TimelineEventKind, question::QuestionText},
    },
    base::report::report_limited,
    engine::call::lease::LedgerError,
    serve::client::{AskedQuestion, ClientReply, ClientResult, ProtocolError},
};

/// How long a request is retried if the engine cannot accept it.
const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// The first pause after the ledger has failed. Each further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long a request waits that the engine is too busy for, unless the engine says another time.
const BUSY: Duration = Duration::from_secs(1);
/// How long the end of a cancelled call waits for the tool to stop.
const STOPPING: Duration = Duration::from_secs(1);

const DISPLACED: &str = "the application has reached its limit of open calls, and you had most of them, so the oldest one \
                         that waited for you has ended; you can call the tool again";

/// Runs a call.
pub(crate) struct Driver {
    pub(crate) host: Arc<HostState>,
    pub(crate) call: Arc<LiveCall>,
    pub(crate) step: CallStep,
    /// The number of questions so far.
    pub(crate) asked: u32,
    /// The request of this step, if it was sent.
    sent: Option<u64>,
}

/// How a call ends.
enum CallEnd {
    Finished(ClientResult),
    Failed(String),
    Cancelled,
}

impl HostState {
    pub(crate) fn drive(self: &Arc<Self>, call: &Arc<LiveCall>, step: CallStep, asked: u32) {
        let mut driver = Driver { host: Arc::clone(self), call: Arc::clone(call), step, asked, sent: None };
        if driver.ends_at_once() {
            return;
        }
        self.table.hold(call);
        let mut driving = Box::pin(driver.run());
        // The question of the first request is shown before the caller gets the call.
        if driving.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            tokio::spawn(driving);
        }
    }

    /// Resumes the calls that were open when the previous process ended.
    pub(crate) async fn resume_stored(self: &Arc<Self>) -> Result<(), LedgerError> {
        for id in self.store.open_calls().await? {
            let record = self.store.load(&id).await?.filter(|record| !matches!(record.step, CallStep::Over));
            let Some(record) = record else {
                self.store.close(&id).await?;
                continue;
            };
            let (call, step, asked) = self.restored(record);
            // Stored calls are added even if this exceeds the limits.
            if self.table.begin(&call, true).is_ok() {
                self.drive(&call, step, asked);
            }
        }
        Ok(())
    }
}

impl Driver {
    /// Sends the first request of a call that is not stored. Returns whether the call has ended with it. Most calls end
    /// this way, and need no task and no place among the open calls.
    fn ends_at_once(&mut self) -> bool {
        if self.host.store.is_durable() || !matches!(self.step, CallStep::Begin) {
            return false;
        }
        let request = *self.sent.insert(self.send());
        let Some(result) = self.call.take_result(request) else { return false };
        self.record_end(CallEnd::Finished(result));
        self.show_end();
        true
    }

    pub(crate) async fn run(mut self) {
        let end = loop {
            let next = match &self.step {
                CallStep::Begin | CallStep::Answered { .. } => self.round().await,
                CallStep::Asked { .. } => self.wait_for_answer().await,
                CallStep::Over => return,
            };
            match next {
                Ok(step) => self.step = step,
                Err(end) => break end,
            }
        };
        self.end(end).await;
    }

    /// Sends the request of a round until the engine has accepted it, and waits for the reply. What is rare is boxed,
    /// here and below, so that a call that waits for its user does not hold memory for it.
    async fn round(&mut self) -> Result<CallStep, CallEnd> {
        let mut until = None;
        loop {
            let request = self.sent.take().unwrap_or_else(|| self.send());
            match self.reply(request).await {
                None => {
                    if let CallStep::Answered { state, .. } = &self.step {
                        Box::pin(self.abandon(state)).await;
                    }
                    return Err(CallEnd::Cancelled);
                }
                Some(Ok(ClientReply::Asks(questions, state))) => return self.ask(&questions, state).await,
                Some(Ok(ClientReply::Result(result))) => return Err(CallEnd::Finished(result)),
                Some(Ok(ClientReply::Refused(error, status))) => match pause_after(&error, status) {
                    Some(pause) if Instant::now() < *until.get_or_insert_with(|| Instant::now() + PATIENCE) => {
                        Box::pin(sleep(pause)).await;
                    }
                    _ => return Err(CallEnd::Failed(error.message)),
                },
                Some(Err(error)) => {
                    return Err(CallEnd::Failed(format!("the reply of the tool cannot be read: {error}")));
                }
            }
        }
    }

    /// Sends the request of this step. Returns its id.
    fn send(&self) -> u64 {
        let request = self.host.client.next_id();
        exchange::send(&self.host.client, &self.call, request, &self.step, self.host.store.is_durable());
        request
    }

    /// Waits for the reply. Returns `None` if the call was cancelled before `after` began.
    async fn reply(&self, mut request: u64) -> Option<serde_json::Result<ClientReply>> {
        let mut is_cancelled = false;
        loop {
            match self.call.next_command(None).await {
                Some(Command::Replied(EngineReply { request: replied, reply })) if replied == request => {
                    return Some(reply);
                }
                Some(Command::Cancel) if !is_cancelled && !self.has_begun() => {
                    self.host.client.cancel(request);
                    if !self.has_begun() {
                        return None;
                    }
                    // `after` has begun in the meantime and is not stopped. The same request, sent again, gets the
                    // result.
                    is_cancelled = true;
                    request = self.send();
                }
                // Ignored: late replies, late answers, and cancellations after `after` began.
                Some(_) => {}
                None => pending().await,
            }
        }
    }

    fn has_begun(&self) -> bool {
        self.call.has_begun.load(Ordering::Acquire)
    }

    /// Stores the question. The question is shown only after it is stored.
    async fn ask(&mut self, questions: &[AskedQuestion], state: Option<String>) -> Result<CallStep, CallEnd> {
        let [AskedQuestion { key, method, params }] = questions else {
            return Err(CallEnd::Failed(format!(
                "the tool asks {} questions at once; a tool in an application must ask one at a time",
                questions.len()
            )));
        };
        if method != "elicitation/create" {
            return Err(CallEnd::Failed(format!(
                "the tool sent the request `{method}`, which an application cannot answer"
            )));
        }
        self.asked += 1;
        let state = state.unwrap_or_default();
        let shown = {
            let handoff = self.call.handoff.lock();
            QuestionText::new(self.asked, key, params, handoff.as_deref())
                .map(|question| self.call.timeline.push_question(&question))
        };
        let shown = shown.map_err(|_| CallEnd::Failed(format!("the question `{key}` cannot be read")))?;
        let question = match shown {
            Ok(question) => question,
            Err(too_long) => {
                Box::pin(self.abandon(&state)).await;
                return Err(CallEnd::Failed(format!("the question `{key}` is too long: {too_long}")));
            }
        };
        self.host.table.grow(&self.call);
        let step = CallStep::Asked { state: state.into(), key: Box::from(&**key) };
        self.store(&step).await;
        self.call.ask(question);
        Ok(step)
    }

    /// Shows the question and waits for the user's answer.
    async fn wait_for_answer(&mut self) -> Result<CallStep, CallEnd> {
        // Taken, not copied: the state can be a few kilobytes.
        let step = std::mem::replace(&mut self.step, CallStep::Begin);
        let CallStep::Asked { state, key } = step else { return Ok(step) };
        let seq = self.asked;
        self.call.timeline.show(false);
        let handler = self.host.handlers.get(&*self.call.tool);
        let mut handling = handler.map(|handler| HandlerTask::begin(handler, &self.call));
        let within = self.call.answer_within();
        let deadline = Instant::now().checked_add(within);
        let end = loop {
            let next = match self.next_command(handling.as_mut(), deadline).await {
                Ok(next) => next,
                Err(message) if self.call.close_question(seq) => break CallEnd::Failed(message),
                // The question was answered before the handler failed.
                Err(_) => continue,
            };
            match next {
                Some(Command::Answer { seq: answered, answer, stored }) if answered == seq => {
                    return Ok(self.answered(state, &key, answer, stored).await);
                }
                // The question was closed before this command was sent.
                Some(Command::Displaced) => break CallEnd::Failed(DISPLACED.to_owned()),
                Some(Command::Cancel) if self.call.close_question(seq) => break CallEnd::Cancelled,
                None if self.call.close_question(seq) => {
                    break CallEnd::Failed(format!("no answer came within {within:?}"));
                }
                // The answer is on its way, or the command is about an earlier question.
                Some(_) | None => {}
            }
        };
        Box::pin(self.abandon(&state)).await;
        Err(end)
    }

    /// Waits for the next command. Returns `None` if no command came before `deadline`.
    ///
    /// # Errors
    /// Returns the reason if the handler of the open question has failed.
    async fn next_command(
        &self,
        mut handling: Option<&mut HandlerTask>,
        deadline: Option<Instant>,
    ) -> Result<Option<Command>, String> {
        let mut commanded = pin!(self.call.next_command(deadline));
        poll_fn(|cx| {
            if let Some(handling) = &mut handling
                && let Poll::Ready(message) = handling.poll_failure(cx)
            {
                return Poll::Ready(Err(message));
            }
            commanded.as_mut().poll(cx).map(Ok)
        })
        .await
    }

    async fn answered(
        &mut self,
        state: Box<str>,
        key: &str,
        answer: PluginAnswer,
        stored: oneshot::Sender<()>,
    ) -> CallStep {
        // Followers of a timeline without room see only that the question is closed.
        let _ = self.call.timeline.push_answer(self.asked, key, answer.action, answer.content.as_ref());
        let step = CallStep::Answered { state, key: key.into(), answer };
        self.store(&step).await;
        self.call.timeline.show(false);
        // Fails only if the sender of the answer does not wait any more.
        let _ = stored.send(());
        step
    }

    /// Ends the call in the engine, so that it does not count any more. If the tool does not stop soon, this continues in
    /// the background.
    async fn abandon(&self, state: &str) {
        let Some(tool) = self.host.find(&self.call.tool) else { return };
        let (durable, call) = (Arc::clone(&self.host.service.0.durable), Arc::clone(&self.call));
        let state = state.to_owned();
        let ending = tokio::spawn(async move {
            let owner = call.owner.as_ref().map(crate::Principal::name);
            durable.cancel_waiting(&tool, call.timeline.started().text(), owner, &state).await;
        });
        let _ = timeout(STOPPING, ending).await;
    }

    async fn end(&mut self, end: CallEnd) {
        self.record_end(end);
        if self.host.store.is_durable() {
            Box::pin(self.store_end()).await;
        }
        self.show_end();
    }

    fn record_end(&mut self, end: CallEnd) {
        let timeline = &self.call.timeline;
        let without_result = match end {
            CallEnd::Finished(result) => {
                if self.has_invalid_arguments(&result) {
                    timeline.forget_arguments();
                }
                let too_long = timeline.push_result(result).err();
                too_long.map(|too_long| TimelineEventKind::Failed {
                    message: format!("the tool has finished, but its result is too long: {too_long}"),
                })
            }
            CallEnd::Failed(message) => {
                let message = exchange::instead_of(message.len()).unwrap_or(message);
                Some(TimelineEventKind::Failed { message })
            }
            CallEnd::Cancelled => Some(TimelineEventKind::Cancelled),
        };
        if let Some(end) = without_result {
            // An end without a result is never too long.
            let _ = timeline.push_hidden(&end);
        }
        self.call.settle();
        self.step = CallStep::Over;
    }

    fn show_end(&self) {
        self.host.table.ended(&self.call);
        self.call.timeline.show(true);
    }

    async fn store_end(&self) {
        self.store_durably(&CallStep::Over).await;
        if let Err(error) = self.host.store.close(&self.call.id).await {
            // The next start finds the call in the index, sees that it is over, and removes it.
            report_limited!("cannot remove the ended call `{}` from the index of open calls: {error}", self.call.id);
        }
        if let Err(error) = self.host.store.make_room_for_ended(&self.call).await {
            // These records stay until they expire.
            report_limited!("cannot remove old calls from the ledger: {error}");
        }
    }

    /// Returns whether the call has done nothing because its arguments are invalid. Only long arguments are looked at.
    fn has_invalid_arguments(&self, result: &ClientResult) -> bool {
        const SHORT: usize = 1024;
        let started = self.call.timeline.started();
        let arguments = started.text();
        result.is_error()
            && arguments.len() > SHORT
            && self.host.find(&self.call.tool).is_some_and(|tool| tool.schema.check(arguments).is_err())
    }

    /// Stores the call if the ledger outlives the process.
    async fn store(&self, step: &CallStep) {
        if self.host.store.is_durable() {
            Box::pin(self.store_durably(step)).await;
        }
    }

    /// Stores the call, and tries again until the ledger has it.
    async fn store_durably(&self, step: &CallStep) {
        let record = CallRecord::of(&self.call, step.clone(), self.asked);
        let mut pause = FIRST_PAUSE;
        while let Err(error) = self.host.store.store(&record).await {
            report_limited!("call `{}` is not stored: {error}; trying again", self.call.id);
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Returns how long to wait before the same request is sent again. Returns `None` if the error ends the call.
fn pause_after(error: &ProtocolError, status: Option<u16>) -> Option<Duration> {
    let after = error.data["retryAfterMs"].as_u64().map(Duration::from_millis);
    after.or_else(|| (status == Some(503)).then_some(BUSY))
}
