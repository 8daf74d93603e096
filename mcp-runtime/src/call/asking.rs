//! One ask: its key, its question, its answer.

use std::{
    borrow::Cow,
    sync::Arc,
    task::{Context, Poll},
};

use serde_json::value::RawValue;

use super::{
    CallState,
    clock::Millis,
    conversation::{Answer, Question},
    journal::Fingerprint,
    multi_round::multi_round,
    request::Caller,
};
use crate::protocol::capability::{Capabilities, Capability};

/// The place of one question in the conversation. Dropped before its answer, the question is withdrawn.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    call: &'a CallState,
    name: Cow<'static, str>,
    /// The name, and for a repeated one its number.
    key: Cow<'static, str>,
}

/// What is asked.
pub(crate) struct Wording {
    pub(crate) method: &'static str,
    /// JSON text.
    pub(crate) params: Arc<str>,
    pub(crate) needs: Capability,
    pub(crate) fingerprint: Fingerprint,
    /// An answer that came before the question is none.
    pub(crate) must_ask: bool,
    /// See [`Question::deadline`].
    pub(crate) deadline: Option<Millis>,
}

impl<'a> Asking<'a> {
    /// The key is settled here and not when it is first polled: `select!` polls in random order.
    pub(crate) fn new(call: &'a CallState, name: Cow<'static, str>) -> Self {
        let key = call.conversation.reserve(name.clone());
        // Where no tool said that it asks: a session's calls, and those of tools made at run time.
        call.server.multi_round().get_or_init(multi_round);
        Self { call, name, key }
    }

    pub(crate) fn call(&self) -> &'a CallState {
        self.call
    }

    /// Unique in its call.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Goes by another name. Only before it is asked.
    pub(crate) fn rename(&mut self, name: Cow<'static, str>) {
        self.call.conversation.give_back(&self.name, &self.key);
        self.key = self.call.conversation.reserve(name.clone());
        self.name = name;
    }

    /// Asks, or asks again. Gives until when it is to be answered, which is as it was before the call was rebuilt.
    pub(crate) fn ask(&self, wording: Wording) -> Option<Millis> {
        self.call.conversation.open(self.question(wording))
    }

    fn question(&self, wording: Wording) -> Question {
        let Wording { method, params, needs, fingerprint, must_ask, deadline } = wording;
        let needs = Capabilities::of(&[needs]);
        let (key, name) = (self.key.clone(), self.name.clone());
        Question { key, name, fingerprint, method, params, needs, must_ask, deadline }
    }

    /// Opens the question for the server to answer itself. Whether the answer is still to be found.
    pub(crate) fn seek(&self, wording: Wording) -> bool {
        self.call.conversation.seek(self.question(wording))
    }

    /// Puts the answer in that was found.
    pub(crate) fn found(&self, answer: Arc<RawValue>) {
        self.call.conversation.found(&self.key, answer);
    }

    /// `late`: its time is over, and an answer that has come all the same is none.
    pub(crate) fn poll_answer(&self, late: bool, cx: &mut Context<'_>) -> Poll<Answer> {
        // Only a call of several requests may have to be rebuilt.
        self.call.conversation.poll_answer(&self.key, late, self.call.revision.is_modern(), cx)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let Some(id) = self.call.conversation.close(&self.key) else { return };
        let request = self.call.request();
        if let Some(Caller::Legacy { questions, .. }) = request.as_ref().map(|request| &request.caller)
            && let Some(asker) = questions.begun()
        {
            asker.withdraw(&id);
        }
    }
}
