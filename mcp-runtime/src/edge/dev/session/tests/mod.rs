//! Sessions with a server in memory.

mod calls;
mod commands;
mod faults;
mod lists;
mod prepared;
mod recordings;
pub(crate) mod target;

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use self::target::MemoryTarget;
use super::{
    DevSession, NewCall, SessionOptions,
    api::{
        call::{AnyAnswer, CallRequest, DevCall, DevCallStatus, DevQuestion},
        event::CallEventKind,
        fault::DevFault,
        state::SessionSource,
    },
};
use crate::edge::dev::target::{ClientSetup, SetupCapabilities, TransportKind};

pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const LEGACY: &str = "2025-11-25";

pub(crate) fn setup(revision: &str) -> ClientSetup {
    ClientSetup {
        revision: revision.to_owned(),
        transport: TransportKind::Stdio,
        capabilities: SetupCapabilities { elicitation: true, sampling: true, roots: true, views: false },
        principal: None,
        other_instance: false,
    }
}

pub(crate) fn options() -> SessionOptions {
    let source = SessionSource::Program;
    SessionOptions { program: "bank".to_owned(), source, model: None, secrets: vec!["hunter2-secret".to_owned()] }
}

/// A session with a server in memory.
pub(crate) struct Tried {
    pub(crate) session: Arc<DevSession>,
    pub(crate) target: Arc<MemoryTarget>,
}

impl Tried {
    pub(crate) fn new() -> Self {
        Self::with(options())
    }

    pub(crate) fn with(options: SessionOptions) -> Self {
        let target = Arc::new(MemoryTarget::new());
        Self { session: DevSession::begin(Arc::clone(&target) as _, options), target }
    }

    pub(crate) fn call(&self, revision: &str, tool: &str, arguments: &Value, fault: Option<DevFault>) -> String {
        let request = tool_request(tool, arguments);
        self.session.call(NewCall { request, setup: setup(revision), fault, answers: Vec::new() }).unwrap().id
    }

    /// Begins a transfer, and waits for its question.
    pub(crate) async fn transfer(&self, revision: &str, fault: Option<DevFault>) -> (String, DevQuestion) {
        let id = self.call(revision, "send_money", &json!({ "to": "Ada" }), fault);
        let question = self.question(&id).await;
        (id, question)
    }

    /// Waits until the call satisfies a condition.
    pub(crate) async fn until(&self, id: &str, what: &str, is_so: impl Fn(&DevCall) -> bool) -> DevCall {
        let limit = Instant::now() + Duration::from_secs(20);
        loop {
            let call = self.session.find(id).unwrap();
            if is_so(&call) {
                return call;
            }
            assert!(Instant::now() < limit, "{what} did not come: {call:#?}");
            sleep(Duration::from_millis(5)).await;
        }
    }

    pub(crate) async fn question(&self, id: &str) -> DevQuestion {
        let call = self.until(id, "a question", |call| !call.questions.is_empty()).await;
        assert_eq!(call.status, DevCallStatus::InputRequired);
        call.questions[0].clone()
    }

    pub(crate) fn accept(&self, id: &str, question: &DevQuestion, content: &Value) {
        let content = content.as_object().cloned();
        self.session.answer(id, question.seq(), AnyAnswer::Accept { content }).unwrap();
    }

    pub(crate) async fn ended(&self, id: &str) -> DevCall {
        self.until(id, "the end", |call| !call.status.is_open()).await
    }

    /// Waits for the end of a call, and returns its text.
    pub(crate) async fn text(&self, id: &str) -> String {
        text(&self.ended(id).await)
    }
}

pub(crate) fn tool_request(tool: &str, arguments: &Value) -> CallRequest {
    CallRequest::Tool { name: tool.to_owned(), arguments: arguments.as_object().cloned().unwrap_or_default() }
}

/// Returns the text of a call's result.
pub(crate) fn text(call: &DevCall) -> String {
    match &call.events.as_ref().unwrap().last().unwrap().kind {
        CallEventKind::Finished { result } => result["content"][0]["text"].as_str().unwrap().to_owned(),
        other => panic!("{other:?}"),
    }
}

/// Returns the types of a call's events.
pub(crate) fn types(call: &DevCall) -> Vec<String> {
    let events = serde_json::to_value(call.events.as_ref().unwrap()).unwrap();
    events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

/// Returns what was found about the fault.
pub(crate) fn finding(call: &DevCall, of: DevFault) -> (bool, String) {
    let found = call.events.iter().flatten().find_map(|event| match &event.kind {
        CallEventKind::Finding { fault, ok, told } if *fault == of => Some((*ok, told.clone())),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("there is no finding about {of:?}: {call:#?}"))
}
