//! Runs one scripted call. The client sends the call's requests and answers its questions. Requests for prompts,
//! resources and completions run as such calls too.

mod cancelling;
mod cancels;
mod course;
mod outputs;
mod rehearsals;
mod rounds;
mod subscribing;

use serde_json::Value;

pub(crate) use self::subscribing::{next_notice, subscribe, unsubscribe};
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
    serve::client::{ClientRequest, RoundInput},
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
    let Course { connection, asked, logs, progress, rounds, cancelling, .. } = course;
    let cancelled = cancelling.done;
    let start = ended.as_ref().map_or(all, |(_, start)| *start);
    let transcript = connection.transcript.since(start);
    let ended = ended.and_then(|(answer, _)| checked_output(client, &request.target, answer));
    if let (Some(trial), Some(place)) = (&client.trial, place) {
        trial.end_call(
            place,
            Called {
                target: request.target.clone(),
                at: request.at,
                varies: request.varies,
                revision: client.settings.profile.revision,
                ended: ended.clone(),
                asked: asked.clone(),
                runs: client.take_runs(),
                rounds,
                replayable: client.is_replayable(&request.target),
                requires: client.requires(&request.target),
                transcript: transcript.clone(),
            },
        )?;
    }
    match ended {
        Ok(answer) => {
            client.connection = Some(connection);
            let revision = client.settings.profile.revision;
            Ok(Outcome { answer, cancelled, asked, rounds, revision, transcript, logs, progress })
        }
        Err(misfit) => {
            let (mode, errors) = (client.trial.as_ref().map(Trial::mode), connection.kill().await);
            Err(request.misfit(&misfit, mode, &transcript, errors.as_deref()))
        }
    }
}

/// Returns all items of a list, from all pages. `method` is the method that lists the items, and `member` is the member
/// of its result that contains the items. The error is the message with which the test panics.
pub(crate) async fn list(client: &mut Client, method: &'static str, member: &str) -> Result<Vec<Value>, String> {
    let mut course = Course::begin(client, Script::default()).map_err(|misfit| misfit.to_string())?;
    let items = course.list(method, member).await;
    let items = items.map_err(|misfit| format!("{misfit}\n\nmessages:\n{}", course.connection.transcript))?;
    client.connection = Some(course.connection);
    Ok(items)
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

    async fn list(&mut self, method: &'static str, member: &str) -> Result<Vec<Value>, Misfit> {
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
