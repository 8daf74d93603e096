//! What the page can ask of a session.

use std::{sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::Value;

use super::{
    api::{
        call::{AnyAnswer, CallRequest, DevAnswerer, DevCall},
        event::CallEventKind,
        fault::DevFault,
        message::{MessagePage, MessageQuery, MessageSummary, WireMessage},
        new_call::NewCall,
        record::DevCallRecord,
        state::{CheckFinding, CheckedTokens, DevCheckReport, Items, ToolTokens},
    },
    as_test,
    calls::{CallCommand, CallStart, DevLiveCall, check_prepared, start},
    client::{DevCompletion, other_era, profile},
    commands::{CallCommands, Repeated},
    core::DevSession,
    error::SessionError,
    faults::rules::{FaultPoint, impossible, rule},
};
use crate::{
    edge::dev::target::{ClientSetup, TransportKind},
    wire::protocol::revision::Revision,
};

/// A test that does what a call has done.
#[derive(Debug, Serialize)]
pub(crate) struct WrittenTest {
    pub(crate) path: String,
    pub(crate) source: String,
}

impl DevSession {
    pub(crate) async fn list(&self, setup: &ClientSetup) -> Result<Items, SessionError> {
        if self.is_recording() {
            let kept = self.items.lock();
            let of_setup = kept.iter().find(|(other, _)| other == setup).or(kept.last());
            return Ok(of_setup.map(|(_, items)| items.clone()).unwrap_or_default());
        }
        let items = self.pool.items(setup).await.map_err(SessionError::Server)?;
        self.keep_items(setup, &items);
        Ok(items)
    }

    pub(crate) async fn complete(&self, request: DevCompletion) -> Result<Value, SessionError> {
        self.pool.complete(request).await.map_err(SessionError::Server)
    }

    pub(crate) async fn read_resource(&self, setup: &ClientSetup, uri: &str) -> Result<Value, SessionError> {
        self.pool.read_resource(setup, uri).await.map_err(SessionError::Server)
    }

    /// Begins a call.
    pub(crate) fn call(&self, new: NewCall) -> Result<DevCall, SessionError> {
        let NewCall { request, mut setup, fault, answers } = new;
        if self.is_recording() {
            let advice = "start the program with the command `dev`";
            return Err(SessionError::NotPossible(format!("a recording cannot be called; {advice}")));
        }
        let cause = fault.filter(|fault| rule(*fault).point == FaultPoint::NewCall);
        if let Some(fault) = cause {
            setup = other_client(setup, fault);
        }
        let revision = profile(&setup).map_err(SessionError::Invalid)?.revision;
        if let Some(fault) = fault {
            self.check_fault(fault, revision)?;
        }
        check_prepared(&answers, self.options.model.is_some())?;
        let can_run_again = self.can_run_again(&request);
        let (call, commands) = self.calls.add(request, setup)?;
        match fault.map(|fault| (fault, rule(fault).point)) {
            None | Some((_, FaultPoint::NewCall)) => {}
            Some((fault, FaultPoint::Now)) => call.command(CallCommand::Fault(fault)),
            Some((fault, _)) => call.arm(fault),
        }
        let shown = call.shown(false);
        start(CallStart {
            call,
            commands,
            pool: Arc::clone(&self.pool),
            calls: Arc::clone(&self.calls),
            model: self.options.model.clone(),
            answers,
            cause,
            can_run_again,
        });
        Ok(shown)
    }

    pub(crate) fn calls(&self) -> Vec<DevCall> {
        self.calls.all().iter().map(|call| call.shown(false)).collect()
    }

    pub(crate) fn find(&self, id: &str) -> Result<DevCall, SessionError> {
        Ok(self.calls.find(id)?.shown(true))
    }

    pub(crate) fn cancel(&self, id: &str) -> Result<(), SessionError> {
        self.open(id)?.command(CallCommand::Cancel);
        Ok(())
    }

    pub(crate) fn answer(&self, id: &str, seq: u32, answer: AnyAnswer) -> Result<(), SessionError> {
        self.open(id)?.answer(seq, answer, DevAnswerer::Hand, self.options.model.is_some())
    }

    /// Causes a fault in a call.
    pub(crate) fn fault(&self, id: &str, fault: DevFault) -> Result<(), SessionError> {
        let call = self.calls.find(id)?;
        if rule(fault).point == FaultPoint::NewCall {
            let (request, setup) = (call.request.clone(), call.setup.clone());
            let new = self.call(NewCall { request, setup, fault: Some(fault), answers: Vec::new() })?;
            let told = format!("{}: `{}`", rule(fault).told, new.id);
            call.publish(CallEventKind::Fault { fault, told }, None);
            return Ok(());
        }
        let call = self.open(id)?;
        self.check_fault(fault, profile(&call.setup).map_err(SessionError::Invalid)?.revision)?;
        call.command(CallCommand::Fault(fault));
        Ok(())
    }

    /// Takes back a fault that has not happened yet.
    pub(crate) fn disarm(&self, id: &str) -> Result<(), SessionError> {
        let nothing =
            || SessionError::Conflict("no fault is armed; one that has happened cannot be taken back".to_owned());
        self.open(id)?.disarm().map(drop).ok_or_else(nothing)
    }

    fn check_fault(&self, fault: DevFault, revision: Revision) -> Result<(), SessionError> {
        match impossible(fault, !revision.is_modern(), self.target.abilities()) {
            Some(why) => Err(SessionError::NotPossible(why.to_owned())),
            None => Ok(()),
        }
    }

    fn open(&self, id: &str) -> Result<Arc<DevLiveCall>, SessionError> {
        let call = self.calls.find(id)?;
        if call.is_open() { Ok(call) } else { Err(SessionError::Conflict(format!("the call `{id}` has ended"))) }
    }

    /// Returns whether the tool is known as one that can run again without harm.
    fn can_run_again(&self, request: &CallRequest) -> bool {
        let CallRequest::Tool { name, .. } = request else { return true };
        let kept = self.items.lock();
        let tool = kept.iter().rev().flat_map(|(_, items)| &items.tools).find(|tool| tool["name"] == **name);
        tool.is_some_and(|tool| {
            let annotations = &tool["annotations"];
            annotations["readOnlyHint"] == true || annotations["idempotentHint"] == true
        })
    }

    /// Returns what the server remembers of a call.
    pub(crate) async fn record(&self, id: &str) -> Result<DevCallRecord, SessionError> {
        self.calls.find(id)?.record(&*self.target).await.map_err(SessionError::Server)
    }

    /// Returns the command lines that do what a call does.
    pub(crate) fn commands(&self, id: &str) -> Result<CallCommands, SessionError> {
        let call = self.find(id)?;
        let url = self.log.first_of(id).and_then(|message| message.url);
        Repeated::of_call(&call).commands(&self.options.program, url.as_deref()).map_err(SessionError::Invalid)
    }

    /// Returns the command lines that do what a call would do that has not begun.
    pub(crate) fn commands_of_input(&self, new: &NewCall) -> Result<CallCommands, SessionError> {
        let is_http = new.setup.transport == TransportKind::Http;
        let url = is_http.then(|| self.target.url(new.setup.instance())).flatten();
        Repeated::of_input(new).commands(&self.options.program, url.as_deref()).map_err(SessionError::Invalid)
    }

    /// Writes a test that does what a call has done.
    pub(crate) async fn as_test(&self, id: &str) -> Result<WrittenTest, SessionError> {
        let call = self.find(id)?;
        if call.status.is_open() {
            return Err(SessionError::Conflict(format!("the call `{id}` has not ended; a test ends with its result")));
        }
        let (path, source) = as_test::write(&self.options.program, &call);
        Ok(WrittenTest { path, source: as_test::formatted(source).await })
    }

    pub(crate) fn messages(&self, query: &MessageQuery) -> MessagePage {
        self.log.query(query)
    }

    /// Returns the first messages with a number above this one.
    pub(crate) fn messages_after(&self, n: u64) -> Vec<MessageSummary> {
        self.log.after(n)
    }

    pub(crate) fn message(&self, n: u64) -> Result<WireMessage, SessionError> {
        let gone = || SessionError::NotFound(format!("there is no message {n}, or it was dropped for later ones"));
        self.log.get(n).ok_or_else(gone)
    }

    /// Runs the rules of `check`.
    pub(crate) async fn check(&self) -> Result<DevCheckReport, SessionError> {
        let report = self.target.check().await.map_err(SessionError::Server)?;
        let text = |finding: &Value, member: &str| finding[member].as_str().unwrap_or_default().to_owned();
        let findings = report["findings"].as_array().into_iter().flatten().map(|finding| CheckFinding {
            rule: text(finding, "rule"),
            level: text(finding, "severity"),
            item: Some(format!("{} {}", text(finding, "kind"), text(finding, "name"))),
            message: text(finding, "found"),
        });
        let kept = self.items.lock();
        let tools = kept.last().map(|(_, items)| &items.tools[..]).unwrap_or_default().iter();
        let tools = tools.map(|tool| ToolTokens {
            name: text(tool, "name"),
            tokens: tool["tokens"].as_u64().and_then(|tokens| usize::try_from(tokens).ok()).unwrap_or_default(),
        });
        let total = kept.last().map_or(0, |(_, items)| items.tokens);
        Ok(DevCheckReport { findings: findings.collect(), tokens: CheckedTokens { total, tools: tools.collect() } })
    }

    pub(crate) async fn restart(&self) -> Result<(), SessionError> {
        self.target.restart().await.map_err(SessionError::Server)
    }

    pub(crate) async fn advance_clock(&self, seconds: u64) -> Result<(), SessionError> {
        self.target.advance_clock(Duration::from_secs(seconds)).await.map_err(SessionError::Server)
    }
}

/// Returns another client for the same call.
fn other_client(mut setup: ClientSetup, fault: DevFault) -> ClientSetup {
    match fault {
        DevFault::OtherRevision => setup.revision = other_era(&setup.revision).to_string(),
        DevFault::WithoutElicitation => setup.capabilities.elicitation = false,
        DevFault::WithoutSampling => setup.capabilities.sampling = false,
        _ => {}
    }
    setup
}
