//! One question of a call: its key and its place in the conversation.

use std::{
    borrow::Cow,
    sync::Arc,
    task::{Context, Poll},
};

use super::{
    CallState,
    clock::Millis,
    conversation::{Answer, WireQuestion},
    journal::Fingerprint,
    multi_round::multi_round,
    request::Caller,
};
use crate::protocol::capability::{Capabilities, Capability};

/// One question of a call. Dropping this value before the answer has come withdraws the question.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    call: &'a CallState,
    name: Cow<'static, str>,
    /// The name of the question, with a number appended if an earlier question of the call has the same name.
    key: Cow<'static, str>,
}

/// The content of a question.
pub(crate) struct Wording {
    pub(crate) method: &'static str,
    /// JSON text.
    pub(crate) params: Arc<str>,
    pub(crate) needs: Capability,
    pub(crate) fingerprint: Fingerprint,
    /// See [`WireQuestion::must_ask`].
    pub(crate) must_ask: bool,
    /// See [`WireQuestion::deadline`].
    pub(crate) deadline: Option<Millis>,
}

impl<'a> Asking<'a> {
    /// Creates a question and reserves its key. The key is reserved here and not in the first poll, because `select!`
    /// polls in random order.
    pub(crate) fn new(call: &'a CallState, name: Cow<'static, str>) -> Self {
        let key = call.conversation.reserve(name.clone());
        // Multi-round support is not set yet if no tool declared that it asks. This is possible in a session, or if
        // tools are created at run time.
        call.server.multi_round().get_or_init(multi_round);
        Self { call, name, key }
    }

    pub(crate) fn call(&self) -> &'a CallState {
        self.call
    }

    /// The key, unique in its call.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Reserves another name. Must be called before the question is asked.
    pub(crate) fn rename(&mut self, name: Cow<'static, str>) {
        self.call.conversation.give_back(&self.name, &self.key);
        self.key = self.call.conversation.reserve(name.clone());
        self.name = name;
    }

    /// Asks the question and returns the deadline for its answer. A replayed question keeps its first deadline.
    pub(crate) fn ask(&self, wording: Wording) -> Option<Millis> {
        self.call.conversation.open(self.question(wording))
    }

    /// Asks a question that comes from another call.
    #[cfg(feature = "runs")]
    #[cfg_attr(not(feature = "actions"), allow(dead_code))]
    pub(crate) fn forward(&self, question: &WireQuestion) {
        let (key, name) = (self.key.clone(), self.name.clone());
        self.call.conversation.open(WireQuestion { key, name, must_ask: true, deadline: None, ..question.clone() });
    }

    fn question(&self, wording: Wording) -> WireQuestion {
        let Wording { method, params, needs, fingerprint, must_ask, deadline } = wording;
        let needs = Capabilities::of(&[needs]);
        let (key, name) = (self.key.clone(), self.name.clone());
        WireQuestion { key, name, fingerprint, method, params, needs, must_ask, deadline }
    }

    /// Opens a question that the server answers itself. Returns `false` if a recorded answer is available.
    pub(crate) fn seek(&self, wording: Wording) -> bool {
        self.call.conversation.seek(self.question(wording))
    }

    /// Stores the answer that the server itself gives to this question.
    pub(crate) fn found(&self, answer: Arc<str>) {
        self.call.tell_application(|application| application.sampled(&self.key, &answer));
        self.call.conversation.found(&self.key, answer);
    }

    /// Polls for the answer. If the deadline has passed (`late`), an answer counts as a timeout.
    pub(crate) fn poll_answer(&self, late: bool, cx: &mut Context<'_>) -> Poll<Answer> {
        // Only calls that last over several requests are rebuilt.
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
