//! A call that waits for a run of another server process. The call reads the run from the store.

use std::{future::poll_fn, pin::pin, task::Poll, time::Duration};

use serde_json::Map;
use tokio::time::{Instant, sleep, timeout};

use super::{
    RunStoreError,
    changes::RunChangeReceiver,
    details::RunQuestion,
    follow::can_answer,
    manager::{ChangeError, RunManager},
};
use crate::{
    engine::call::{
        Call,
        ask::Asking,
        conversation::Fingerprint,
        conversation::{Answer, WireQuestion},
    },
    wire::protocol::capability::{Capabilities, Capability},
};

/// How often the run is read from a store that does not report changes.
const POLL: Duration = Duration::from_millis(500);

impl RunManager {
    /// Waits for the end of a run of another process, or for the time limit. Asks the client of `caller` the questions
    /// of the run, and stores the answers for that process.
    pub(super) async fn wait_for_stored(&self, id: &str, caller: &Call) -> Result<(), RunStoreError> {
        let limit = self.settings.wait;
        let mut changes = self.changes();
        let poll = if changes.is_some() { self.settings.heartbeat } else { POLL };
        let (mut until, mut asked) = (Instant::now() + limit, Vec::<(String, Asking<'_>)>::new());
        loop {
            let Some((_, details)) = self.load(id).await?.filter(|(run, _)| run.status.is_open()) else {
                return Ok(());
            };
            let is_open = |question: &&RunQuestion| !details.answers.contains_key(&question.key);
            let open: Vec<_> = details.questions.iter().filter(is_open).collect();
            asked.retain(|(key, _)| open.iter().any(|question| question.key == *key));
            for question in open {
                if asked.iter().any(|(key, _)| *key == question.key) {
                    continue;
                }
                let capabilities = caller.0.client().capabilities();
                let question = wire(question).filter(|question| can_answer(capabilities, question));
                let Some(question) = question else { return Ok(()) };
                let asking = Asking::new(&caller.0, question.name.clone());
                asking.forward(&question);
                asked.push((question.key.into_owned(), asking));
            }
            match next(&asked, changed(id, changes.as_mut(), poll)).await {
                Some((key, Ok(answer))) => {
                    asked.retain(|(other, _)| *other != key);
                    let answer = serde_json::from_str(&answer).unwrap_or_default();
                    match self.answer(id, Map::from_iter([(key, answer)])).await {
                        Ok(()) => {}
                        Err(ChangeError::Store(error)) => return Err(error),
                        // An answer that is too large is not stored, so the question stays open.
                        Err(ChangeError::TooLarge(..) | ChangeError::Ended(_)) => return Ok(()),
                    }
                    until = Instant::now() + limit;
                }
                // An error cannot be stored as an answer, so the question stays open.
                Some((_, Err(_))) => return Ok(()),
                None if asked.is_empty() && until <= Instant::now() => return Ok(()),
                None => {}
            }
        }
    }
}

/// Waits until it is time to look at the run again: when the store reports a change, and otherwise after `poll`.
async fn changed(id: &str, changes: Option<&mut RunChangeReceiver>, poll: Duration) {
    match changes {
        Some(changes) => drop(timeout(poll, changes.of(id)).await),
        None => sleep(poll).await,
    }
}

/// Returns the first answer, or `None` when `pause` ends.
async fn next(asked: &[(String, Asking<'_>)], pause: impl Future<Output = ()>) -> Option<(String, Answer)> {
    let mut pause = pin!(pause);
    poll_fn(|cx| {
        for (key, asking) in asked {
            if let Poll::Ready(answer) = asking.poll_answer(false, cx) {
                return Poll::Ready(Some((key.clone(), answer)));
            }
        }
        pause.as_mut().poll(cx).map(|()| None)
    })
    .await
}

/// Returns the question in the form in which a call asks it. Returns `None` if this version of the server does not know
/// this kind of question.
fn wire(question: &RunQuestion) -> Option<WireQuestion> {
    let has = |member: &str, value: &str| question.params.get(member).is_some_and(|found| found == value);
    let (method, needs) = match &*question.method {
        "elicitation/create" if has("mode", "url") => ("elicitation/create", Capability::ElicitationUrl),
        "elicitation/create" => ("elicitation/create", Capability::Elicitation),
        "sampling/createMessage" if question.params.get("tools").is_some() => {
            ("sampling/createMessage", Capability::SamplingTools)
        }
        "sampling/createMessage" => ("sampling/createMessage", Capability::Sampling),
        "roots/list" => ("roots/list", Capability::Roots),
        _ => return None,
    };
    // The key in the run can end with `#` and a number, which are not part of the name.
    let name = question.key.split_once('#').map_or(&*question.key, |(name, _)| name).to_owned();
    Some(WireQuestion {
        key: question.key.clone().into(),
        name: name.into(),
        fingerprint: Fingerprint::default(),
        method,
        params: question.params.to_string().into(),
        needs: Capabilities::of(&[needs]),
        must_ask: true,
        deadline: None,
    })
}
