//! Checks that a call asks the same questions when it is replayed.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};

use crate::{
    base::clock::since_1970,
    edge::testing::{
        client::Client,
        compare::{
            self,
            difference::{Alike, Difference},
        },
        connection::ClientSettings,
        script::request::{Misfit, ScriptedRequest},
    },
    engine::{
        call::{self, conversation::WireQuestion},
        durable::dry_run::Rehearsal,
        tool::registered::RegisteredTool,
    },
    serve::{client::Question, server::Service},
    wire::protocol::capability::Capabilities,
};

/// How many times a round is replayed immediately. One more replay follows in the next second of the clock.
const AT_ONCE: usize = 3;

/// Replays one call, and compares the questions of the replays with the questions of the call.
pub(crate) struct Rehearsals<'a> {
    client: &'a Client,
    service: &'a Service,
    tool: Arc<RegisteredTool>,
    arguments: String,
    /// The questions that the call has asked so far.
    asked: Vec<Question>,
}

impl<'a> Rehearsals<'a> {
    pub(crate) fn new(client: &'a Client, request: &ScriptedRequest) -> Result<Self, Misfit> {
        let (revision, target) = (client.settings.profile.revision, &request.target);
        let unchecked = |words: String| Err(Misfit::Unchecked(words));
        if !revision.is_modern() {
            return unchecked(format!("a call in a session of {revision} is never replayed; use `Client::modern`"));
        }
        let Some(service) = client.server.service() else {
            return unchecked("the server runs in another process; create the client with a `Service`".to_owned());
        };
        let noun = target.registered().0.noun();
        let Some(tool) = client.registered(target) else {
            return unchecked(format!("the server has no {noun} of this name"));
        };
        if !client.is_replayable(target) {
            return unchecked(format!(
                "the {noun} is never replayed, because it is neither a handoff nor `replayable`"
            ));
        }
        Ok(Self { client, service, tool, arguments: target.arguments(), asked: Vec::new() })
    }

    /// Replays the call several times. Each replay ends at the round that asked these questions. Fails if a replay asks
    /// different questions.
    pub(crate) async fn rehearse(&mut self, asked: &[Question], state: Option<&str>) -> Result<(), Misfit> {
        self.asked.extend_from_slice(asked);
        let server = Arc::clone(&self.service.0) as _;
        let ClientSettings { profile, principal, .. } = &self.client.settings;
        let capabilities = Capabilities::read(&profile.capabilities.to_string()).unwrap_or_default();
        let rehearsal = Rehearsal {
            tool: Arc::clone(&self.tool),
            arguments: &self.arguments,
            client: call::Client::new(Some(&profile.info.to_string()), profile.revision, capabilities),
            principal: principal.clone(),
            state: state.unwrap_or_default(),
        };
        for time in 0..=AT_ONCE {
            if time == AT_ONCE {
                next_second().await;
            }
            let again = rehearsal.run(&server).await;
            let again = again.map_err(|_| Misfit::Unchecked("the server could not rebuild the call".to_owned()))?;
            // `None` means that the replay would have an effect before it asks, so there is nothing to compare.
            if let Some(again) = again {
                self.compare(asked, &again.iter().map(question).collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    /// Compares the questions of the call with the questions of a replay.
    fn compare(&self, asked: &[Question], again: &[Question]) -> Result<(), Misfit> {
        let changed = again.iter().find_map(|again| self.changed(asked, again));
        let missing = || {
            let missing = asked.iter().find(|asked| again.iter().all(|again| again.key() != asked.key()))?;
            let what = format!("whether the question `{}` is asked", missing.key());
            Some(Difference::new(what, &json!(missing.message()), &"it is not asked"))
        };
        match changed.or_else(missing) {
            Some(difference) => Err(Misfit::NotReplaySafe(format!(
                "the call was run again with the same answers and differed in {}\n{}\n{ADVICE}",
                difference.what,
                difference.shown(["at first", "again"]),
            ))),
            None => Ok(()),
        }
    }

    /// Returns how this question of a replay differs from the questions that the call asked before.
    fn changed(&self, asked: &[Question], again: &Question) -> Option<Difference> {
        let of_key = |questions: &[Question]| -> Vec<Question> {
            questions.iter().filter(|asked| asked.key() == again.key()).cloned().collect()
        };
        let (open, before) = (of_key(asked), of_key(&self.asked));
        let what = |asked: &[Question]| {
            asked.iter().map(|asked| compare::questions(asked, again, Alike::Entirely)).find(Option::is_some).flatten()
        };
        if !open.is_empty() {
            return what(&open);
        }
        let is_asked = || {
            let then = if before.is_empty() { "it is not asked" } else { "it is already answered" };
            let what = format!("whether the question `{}` is asked", again.key());
            Difference::new(what, &then, &json!(again.message()))
        };
        Some(what(&before).unwrap_or_else(is_asked))
    }
}

fn question(asked: &WireQuestion) -> Question {
    let params = serde_json::from_str(&asked.params).unwrap_or(Value::Null);
    Question::new(asked.key.to_string(), asked.method.to_string(), params)
}

/// Advice for the author.
const ADVICE: &str = "a question must not depend on a clock, a random number, the order of a \
     `HashMap` or data that changes: get such values in `before`, or with `ctx.now()`, `ctx.random()` or `ctx.step(…)`";

/// Waits for the next second of the real clock. Sleeps on a thread, because a paused tokio clock jumps ahead.
async fn next_second() {
    let since = since_1970();
    let left = Duration::from_millis(1005).saturating_sub(Duration::from_nanos(since.subsec_nanos().into()));
    let slept = tokio::task::spawn_blocking(move || std::thread::sleep(left));
    slept.await.unwrap_or_default();
}
