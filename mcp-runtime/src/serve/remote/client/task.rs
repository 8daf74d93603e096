//! A task of another server: it has answered a call before the call has ended (since 2026-07-28). The caller asks for the
//! status until there is a result, and answers the questions of the task.
//!
//! The outer call records the task, and then what the task asks. So a call that is rebuilt follows the same task, and does
//! not send the call again.

use std::{collections::HashSet, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};
use tokio::{
    runtime::Handle,
    time::{Instant, sleep},
};

use super::{
    Remote, RemoteError,
    outer::{LATE_REPLY, OuterCall},
    request::{Deaf, Hears, RequestOutcome, Sender},
    sent::SentRecord,
    within::pause_asked_for,
};
use crate::{
    base::error::Result,
    engine::call::operation::Operation,
    serve::client::{ClientRequest, ProtocolError, Question, Report, RoundInput, ServerNotification, read_questions},
    wire::protocol::result::CallToolResult,
};

/// The time before the first request about a task, and the shortest time between two.
const SHORTEST: Duration = Duration::from_millis(100);

/// The time between two requests, if the server names none.
const USUAL: Duration = Duration::from_secs(1);

const LONGEST: Duration = Duration::from_secs(60);

/// How long after a request without an answer the next one is sent.
const RETRY: Duration = Duration::from_secs(1);

/// The longest id of a task, in bytes. The outer call carries it in its own state.
const LONGEST_ID: usize = 1024;

/// A task of another server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RemoteTask {
    task_id: String,
    /// How often the server wants to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    poll_interval_ms: Option<u64>,
}

/// What `tasks/get` returns.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskStatus {
    status: String,
    status_message: Option<String>,
    poll_interval_ms: Option<u64>,
    #[serde(default)]
    input_requests: Value,
    result: Option<Box<RawValue>>,
    error: Option<ProtocolError>,
}

/// A task that is followed. Dropping it before its end cancels the task, unless the outer call can go on.
pub(super) struct OpenTask<'a> {
    remote: &'a Remote,
    task: RemoteTask,
    sender: Sender,
    /// The call that gets the result. `None` if it is no part of a call of this server.
    outer: Option<&'a OuterCall>,
    /// The keys of the questions that have been asked.
    asked: HashSet<String>,
    /// Whether the task has ended, or is no longer the matter of this process.
    is_left: bool,
}

impl RemoteTask {
    /// Reads the result of a call. Returns `None` if it is not a task.
    ///
    /// # Errors
    /// Fails if the task cannot be read.
    pub(super) fn read(result: &RawValue) -> serde_json::Result<Option<Self>> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct ResultKind {
            #[serde(default)]
            result_type: Value,
        }
        if serde_json::from_str::<ResultKind>(result.get())?.result_type != "task" {
            return Ok(None);
        }
        let task: Self = serde_json::from_str(result.get())?;
        if task.task_id.len() > LONGEST_ID {
            return Err(serde::de::Error::custom(format_args!("`taskId` is longer than {LONGEST_ID} bytes")));
        }
        Ok(Some(task))
    }

    /// Tells the server that no one needs the task any more, without waiting for its answer.
    pub(super) fn cancel(self, remote: Remote, sender: Sender) {
        // Without a runtime, the program ends, and the task expires.
        let Ok(runtime) = Handle::try_current() else { return };
        let request = ClientRequest::Task { operation: Operation::CancelTask, id: self.task_id };
        // A server that does not get the cancellation ends the task when it expires.
        runtime.spawn(async move { drop(remote.send(&request, RoundInput::default(), sender, &Deaf).await) });
    }
}

impl<'a> OpenTask<'a> {
    pub(super) fn new(remote: &'a Remote, task: RemoteTask, sender: Sender, outer: Option<&'a OuterCall>) -> Self {
        Self { remote, task, sender, outer, asked: HashSet::new(), is_left: false }
    }

    /// Passes answers to the task, and asks for its status until it has further questions, or has ended.
    ///
    /// # Errors
    /// Fails if the task has no result.
    async fn news(&self, answers: &Map<String, Value>) -> Result<RequestOutcome, RemoteError> {
        if !answers.is_empty() {
            let input = RoundInput { input_responses: Some(answers.clone()), ..RoundInput::default() };
            self.request(Operation::UpdateTask, input).await?;
        }
        let (mut pause, mut told, mut reports) = (SHORTEST, None, 0_u32);
        loop {
            sleep(pause).await;
            let read = self.request(Operation::GetTask, RoundInput::default()).await?;
            let invalid = |error: serde_json::Error| self.invalid(error.to_string());
            let TaskStatus { status, status_message, poll_interval_ms, input_requests, result, error } =
                serde_json::from_str(read.get()).map_err(invalid)?;
            match (&*status, result, error) {
                ("working", ..) => {}
                ("input_required", ..) => {
                    let mut questions = read_questions(input_requests).map_err(invalid)?;
                    // A server can still show questions whose answers it has got.
                    questions.retain(|Question { key, .. }| !self.asked.contains(key));
                    if !questions.is_empty() {
                        return Ok(RequestOutcome::Asks(questions, None));
                    }
                }
                ("completed", Some(result), _) => return Ok(RequestOutcome::Result(result)),
                ("failed", _, Some(error)) => {
                    let (server, method) = (self.remote.name().to_owned(), Operation::CallTool.method().to_owned());
                    return Err(RemoteError::Refused { server, method, error: Box::new(error) });
                }
                ("failed", ..) => return Err(self.lost(status_message.unwrap_or_else(|| "it has failed".to_owned()))),
                ("cancelled", ..) => return Err(self.lost("it was cancelled".to_owned())),
                (status, ..) => return Err(self.invalid(format!("the status `{status}` is unknown or has no result"))),
            }
            if status_message.is_some() && status_message != told {
                told.clone_from(&status_message);
                reports += 1;
                // The server says what it does, and not how much is left.
                let report = Report { progress: reports.into(), total: None, message: status_message };
                self.hears().hear(ServerNotification::Progress(report));
            }
            let interval = poll_interval_ms.or(self.task.poll_interval_ms).map_or(USUAL, Duration::from_millis);
            pause = interval.clamp(SHORTEST, LONGEST);
        }
    }

    /// Sends a request about the task. Sends it again if the server does not answer, until the time limit for requests:
    /// the task goes on meanwhile.
    async fn request(&self, operation: Operation, input: RoundInput) -> Result<Box<RawValue>, RemoteError> {
        let request = ClientRequest::Task { operation, id: self.task.task_id.clone() };
        let limit = self.sender.timeout.unwrap_or(self.remote.settings.timeout);
        let begun = Instant::now();
        loop {
            // Boxed, because few calls become tasks.
            let sent = Box::pin(self.remote.send(&request, input.clone(), self.sender.clone(), &Deaf)).await;
            let (pause, failure) = match sent {
                Ok(RequestOutcome::Result(result)) => return Ok(result),
                Ok(_) => return Err(self.invalid(format!("`{}` has no result", operation.method()))),
                Err(RemoteError::Refused { error, .. }) if pause_asked_for(&error).is_none() => {
                    let ProtocolError { code, message, .. } = *error;
                    return Err(self.lost(format!(
                        "the server does not know it any more, for example because it has expired, or refuses \
                         `{}`: {message} (code {code})",
                        operation.method()
                    )));
                }
                Err(failure) => match &failure {
                    RemoteError::Refused { error, .. } => (pause_asked_for(error).unwrap_or(RETRY), failure),
                    RemoteError::Unreachable { .. }
                    | RemoteError::Lost { .. }
                    | RemoteError::Timeout { .. }
                    | RemoteError::Busy { .. } => (RETRY, failure),
                    _ => return Err(failure),
                },
            };
            if begun.elapsed().saturating_add(pause) >= limit {
                return Err(self.lost(format!("it cannot be followed any more: {failure}")));
            }
            sleep(pause).await;
        }
    }

    fn hears(&self) -> &dyn Hears {
        match self.outer {
            Some(outer) => outer,
            None => &Deaf,
        }
    }

    fn invalid(&self, reason: String) -> RemoteError {
        let (server, method) = (self.remote.name().to_owned(), Operation::GetTask.method().to_owned());
        RemoteError::Invalid { server, method, reason }
    }

    fn lost(&self, reason: String) -> RemoteError {
        RemoteError::Task { server: self.remote.name().to_owned(), reason }
    }

    fn cancel(&self) {
        self.task.clone().cancel(self.remote.clone(), self.sender.clone());
    }

    /// Whether no call needs the task any more, if it is dropped now.
    fn is_given_up(&self) -> bool {
        !self.is_left && !self.outer.is_some_and(OuterCall::may_be_rebuilt)
    }
}

impl Drop for OpenTask<'_> {
    fn drop(&mut self) {
        if self.is_given_up() {
            self.cancel();
        }
    }
}

impl Remote {
    /// Waits for the end of a task whose questions have no one to answer them.
    ///
    /// # Errors
    /// Fails if the task has no result. If it asks, it is cancelled.
    pub(super) async fn wait_for_task(&self, task: RemoteTask, sender: Sender) -> Result<RequestOutcome, RemoteError> {
        let mut open = OpenTask::new(self, task, sender, None);
        let outcome = open.news(&Map::new()).await;
        open.is_left = !matches!(outcome, Ok(RequestOutcome::Asks(..)));
        outcome
    }
}

impl OuterCall {
    /// Follows a task until it has ended. Its questions are those of the call.
    ///
    /// # Errors
    /// Fails if a question has no answer that can be passed on, or if this part of the call cannot be recorded.
    async fn follow(&self, remote: &Remote, task: RemoteTask) -> Result<SentRecord> {
        let mut open = OpenTask::new(remote, task, self.sender(), Some(self));
        let mut answers = Map::new();
        loop {
            let part = async { Ok(self.news_of(&open, &answers).await) };
            let mut news = match self.once_followed(Box::pin(part)).await {
                Ok(news) => news,
                Err(error) => {
                    // Another process can have taken over the call.
                    open.is_left = true;
                    return Err(error);
                }
            };
            if let SentRecord::Again = news {
                news = self.news_of(&open, &answers).await;
            }
            let SentRecord::Asks { questions, .. } = news else {
                open.is_left = true;
                return Ok(news);
            };
            answers = self.ask_all(&questions).await?;
            open.asked.extend(questions.into_iter().map(|question| question.key));
        }
    }

    /// Returns the result of a task, as [`follow`](Self::follow) does.
    pub(super) async fn followed(&self, remote: &Remote, task: RemoteTask) -> Result<CallToolResult> {
        self.follow(remote, task).await?.into_result(remote)
    }

    async fn news_of(&self, open: &OpenTask<'_>, answers: &Map<String, Value>) -> SentRecord {
        // What the task says about a call that was cut off still counts, because the client can repeat its request.
        match self.until_cancelled_for(LATE_REPLY, open.news(answers)).await {
            Some(outcome) => SentRecord::of(outcome),
            None => {
                open.cancel();
                SentRecord::Cancelled
            }
        }
    }
}
