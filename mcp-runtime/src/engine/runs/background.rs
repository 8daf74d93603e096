//! The call of a run. The call has no connection. Its messages are written into the trace, and its questions wait for
//! an answer.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};

use serde_json::Value;

use super::{
    RunStatus,
    details::{RunProgress, json_text},
    feed::{EndFn, RunEnd, RunFeed},
    trace::TraceEvent,
};
use crate::{
    engine::call::{
        Call, CallState, Client, MessageSink, Reports,
        conversation::WireQuestion,
        message_sink::ProgressReport,
        request::{Asker, Caller, Peer, Questions, Request, Session},
        running::{Round, Running},
    },
    wire::protocol::{
        frame::Frame,
        id::{Id, RequestId},
        level::Level,
        result::CallToolResult,
        revision::Revision,
    },
};

/// A function that edits the data of a log message: it removes the parts that must not leave the server.
pub(crate) type CleanFn = Arc<dyn Fn(&mut Value) + Send + Sync>;

/// Creates the call of a run that the call `caller` starts. The run can ask the questions that the client of `caller`
/// can answer.
pub(super) fn background_call(caller: &Call, feed: &Arc<RunFeed>, clean: CleanFn) -> Call {
    let client = caller.0.client();
    // Uses a revision with sessions, because a call in a session keeps running while it asks.
    let revision = if client.revision().is_modern() { Revision::LATEST_LEGACY } else { client.revision() };
    let client = Client::new(client.info_text(), revision, client.capabilities());
    let questions = Questions::asked_by(Box::new(RunAsker(Arc::clone(feed))));
    let session = Arc::new(Session::of_one_call(client, questions));
    let messages = Arc::new(RunMessages { feed: Arc::clone(feed), clean });
    // The scopes of tools that the run calls are those of the caller.
    let peer = Peer { remote: caller.0.is_remote, ..Peer::new(messages, caller.0.principal()) };
    let reports = Reports::new(RequestId::server(0));
    let request = Request::new(Caller::Legacy { session, client: None }, Some(reports), &peer);
    Call::new(Arc::clone(&caller.0.server), Arc::clone(caller.target()), request)
}

/// Runs the call to its end, or until the run is cancelled.
pub(super) async fn drive(feed: Arc<RunFeed>, mut running: Box<Running>, end: EndFn) {
    let finished = {
        let (mut cancelled, mut round) = (pin!(feed.cancelled()), pin!(running.round()));
        poll_fn(|cx| match cancelled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => round.as_mut().poll(cx).map(Some),
        })
        .await
    };
    let outcome = match finished {
        Some(Round::Done(outcome)) => Some(outcome),
        // Not expected, because the call of a run keeps running while it asks.
        Some(Round::Asks) => Some(Ok(CallToolResult::error("internal error: the run has ended its round"))),
        None => running.finish_started().await,
    };
    drop(running);
    feed.end(outcome.map_or(RunEnd { status: RunStatus::Cancelled, outputs: None, error: None }, &*end));
}

/// Writes the messages of a run into its trace.
struct RunMessages {
    feed: Arc<RunFeed>,
    clean: CleanFn,
}

impl MessageSink for RunMessages {
    /// A run has no client that reads other messages.
    fn send(&self, _: Frame) {}

    fn log(&self, level: Level, _: &str, data: &[u8]) {
        let mut data = serde_json::from_slice(data).unwrap_or_default();
        (self.clean)(&mut data);
        self.feed.note(TraceEvent::Log { level, data: json_text(&data).unwrap_or_default() });
    }

    fn progress(&self, report: &ProgressReport<'_>) {
        if report.value.is_finite() {
            let message = report.message.map(str::to_owned);
            self.feed.progressed(RunProgress { progress: report.value, total: report.total, message });
        }
    }
}

/// Keeps the questions of a run until they are answered.
struct RunAsker(Arc<RunFeed>);

impl Asker for RunAsker {
    fn ask(&self, call: &Arc<CallState>, question: WireQuestion, _: &Arc<dyn MessageSink>) {
        let number = self.0.ask(call, &question);
        call.conversation.handed_out(&question.key, number);
    }

    fn withdraw(&self, number: u64) {
        self.0.withdraw(number);
    }

    /// Answers come through [`RunFeed::answer`].
    fn answered(&self, _: &Id<'_>, _: Result<&str, &str>) {}
}
