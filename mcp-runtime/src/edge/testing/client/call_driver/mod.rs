//! Runs one scripted call. The client sends the call's requests and answers its questions. Requests for prompts,
//! resources and completions run as such calls too.

mod cancelling;
mod course;
mod outputs;
mod rehearsals;
mod rounds;
mod subscribing;
mod viewing;

use serde_json::Value;

use self::{course::Course, outputs::checked_output};
use super::Client;
use crate::{
    edge::testing::{
        compare::{
            CallAnswer,
            mode_comparison::{Called, Trial},
        },
        observed::{outcome::Outcome, transcript::Transcript},
        script::{
            Script,
            request::{Misfit, ScriptedRequest},
        },
    },
    serve::client::{ClientRequest, ProtocolError, RoundInput},
};

/// Makes a scripted request, for example a tool call. The error is the message with which the test panics.
pub(crate) async fn run(client: &mut Client, request: ScriptedRequest, script: Script) -> Result<Outcome, String> {
    let place = client.trial.as_ref().map(Trial::begin_call);
    // Discards the counts of earlier calls. Such a call may have continued after its client was gone.
    drop(client.take_runs());
    let mut course = match Course::begin(client, script) {
        Ok(course) => course,
        Err(misfit) => return Err(request.misfit(&misfit, None, &Transcript::default(), None)),
    };
    let all = course.connection.transcript.len();
    let ended = course.call(&request).await;
    let Course { mut connection, asked, logs, progress, rounds, cancelling, .. } = course;
    let cancelled = cancelling.done;
    let start = ended.as_ref().map_or(all, |(_, start)| *start);
    let transcript = connection.transcript.since(start);
    let (answer, misfit) = match ended.and_then(|(answer, _)| checked_output(client, &request.target, answer)) {
        Ok(answer) => (answer, None),
        Err(misfit) => (no_answer(misfit.to_string()), Some(misfit)),
    };
    let revision = client.settings.profile.revision;
    let outcome = Outcome { answer, cancelled, asked, rounds, revision, transcript, logs, progress };
    if let (Some(trial), Some(place)) = (&client.trial, place) {
        let item = client.registered(&request.target);
        let called = Called {
            request: request.clone(),
            outcome: outcome.clone(),
            misfit: misfit.clone(),
            runs: client.take_runs(),
            replayable: item.as_ref().is_some_and(|item| item.definition.replayable),
            requires: item.map(|item| item.requires).unwrap_or_default(),
        };
        trial.end_call(place, called)?;
    }
    let Some(misfit) = misfit else {
        client.connection = Some(connection);
        return Ok(outcome);
    };
    let (mode, errors) = (client.trial.as_ref().map(Trial::mode), connection.transport.kill().await);
    Err(request.misfit(&misfit, mode, &outcome.transcript, errors.as_deref()))
}

/// Returns what stands for the answer to a call that has none.
fn no_answer(message: String) -> CallAnswer {
    Err(ProtocolError { code: 0, message, data: Value::Null })
}

/// Works on the connection of the client, without a script.
///
/// # Panics
/// Panics if the work fails.
pub(crate) async fn with_course<T>(
    client: &mut Client,
    work: impl AsyncFnOnce(&mut Course<'_>) -> Result<T, Misfit>,
) -> T {
    let mut course = Course::begin(client, Script::default()).unwrap_or_else(|misfit| panic!("{misfit}"));
    let value = work(&mut course).await;
    let value = value.unwrap_or_else(|misfit| panic!("{misfit}\n\nmessages:\n{}", course.connection.transcript));
    client.connection = Some(course.connection);
    value
}

impl Course<'_> {
    /// Sends the request. Returns its result, and the number of messages in the transcript before the call.
    async fn call(&mut self, request: &ScriptedRequest) -> Result<(CallAnswer, usize), Misfit> {
        self.open().await?;
        let start = self.connection.transcript.len();
        self.begin_to_watch();
        let answer = match self.rounds(request).await {
            Err(Misfit::Cancelled) => self.cancel().await?,
            ended => ended?,
        };
        match &self.script.rest()[..] {
            [] => self.not_missed().map(|()| (answer, start)),
            rest => Err(format!("the call did not ask for these answers:\n  {}", rest.join("\n  ")).into()),
        }
    }

    /// Returns all items of a list, from all pages. `method` is the method that lists the items, and `member` is the
    /// member of its result that contains the items.
    pub(crate) async fn list(&mut self, method: &'static str, member: &str) -> Result<Vec<Value>, Misfit> {
        self.open().await?;
        let mut items = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let answer = self.round(&ClientRequest::List { method, cursor }, &RoundInput::default()).await?;
            let mut page = answer.map_err(|error| format!("`{method}` failed: {}", error.message))?;
            if let Value::Array(listed) = page[member].take() {
                items.extend(listed);
            }
            cursor = page["nextCursor"].take();
            if cursor.is_null() {
                return Ok(items);
            }
        }
    }
}
