//! Runs a call: sends its requests, shows its questions, and causes its faults.

mod exchange;
mod in_session;
mod judging;
mod prepared;
mod repeating;
mod rounds;

use std::{pin::pin, sync::Arc, time::Duration};

use serde_json::Value;
use tokio::sync::mpsc;

use self::prepared::PreparedAnswers;
use super::{
    live::{CallCommand, DevLiveCall},
    table::DevCalls,
};
use crate::{
    edge::dev::{
        session::{
            api::{
                call::{AnyAnswer, DevAnswerer, DevCallStatus, DevQuestion},
                event::CallEventKind,
                fault::DevFault,
                new_call::PreparedAnswer,
            },
            client::{ClientPool, MessageOwner, profile},
            faults::rules::{FaultPoint, rule},
            model::DevModel,
        },
        target::ClientSetup,
    },
    serve::client::{ClientProfile, ClientRequest, Log, ProtocolError, Report, ServerNotification},
    wire::protocol::level::Level,
};

/// How far `clock_forward` moves the clock.
const FORWARD: Duration = Duration::from_secs(3600);

/// What a call needs to begin.
pub(crate) struct CallStart {
    pub(crate) call: Arc<DevLiveCall>,
    pub(crate) commands: mpsc::UnboundedReceiver<CallCommand>,
    pub(crate) pool: Arc<ClientPool>,
    pub(crate) calls: Arc<DevCalls>,
    pub(crate) model: Option<DevModel>,
    pub(crate) answers: Vec<PreparedAnswer>,
    /// The fault that has made this client call: it is another client than that of an earlier call.
    pub(crate) cause: Option<DevFault>,
    /// Whether the tool says that it can run again without harm.
    pub(crate) can_run_again: bool,
}

/// Begins a call. It runs until it ends or is cancelled.
pub(crate) fn start(start: CallStart) {
    let CallStart { call, commands, pool, calls, model, answers, cause, can_run_again } = start;
    call.publish(CallEventKind::Started { request: call.request.clone() }, None);
    call.show();
    tokio::spawn(async move {
        let profile = match profile(&call.setup) {
            Ok(profile) => profile,
            Err(told) => return call.end(DevCallStatus::Failed, DevCallEnd::failed(told).event(), None),
        };
        let request = call.request.to_client();
        let setup = call.setup.clone();
        let pending = cause.into_iter().map(CausedFault::of).collect();
        let driver = CallDriver {
            call,
            commands,
            pool,
            calls,
            model,
            profile,
            request,
            setup,
            prepared: PreparedAnswers::new(answers),
            pending,
            can_run_again,
        };
        driver.run().await;
    });
}

/// A call that runs.
struct CallDriver {
    call: Arc<DevLiveCall>,
    commands: mpsc::UnboundedReceiver<CallCommand>,
    pool: Arc<ClientPool>,
    calls: Arc<DevCalls>,
    model: Option<DevModel>,
    profile: ClientProfile,
    request: ClientRequest,
    /// The client, which can turn to the other instance.
    setup: ClientSetup,
    prepared: PreparedAnswers,
    /// The faults that were caused, and are judged after the next reply.
    pending: Vec<CausedFault>,
    can_run_again: bool,
}

struct CausedFault {
    fault: DevFault,
    /// Whether the server has answered two requests with the same reply.
    same_reply: Option<bool>,
    /// The questions that were answered with content that does not fit.
    answered: Vec<DevQuestion>,
}

impl CausedFault {
    fn of(fault: DevFault) -> Self {
        Self { fault, same_reply: None, answered: Vec::new() }
    }
}

/// The reply to a request, and its number in the log.
#[derive(Debug)]
struct RoundReply {
    n: u64,
    outcome: Result<Value, ProtocolError>,
}

/// How a call ends.
enum DevCallEnd {
    Finished(Value, u64),
    Failed { error: ProtocolError, n: Option<u64> },
    Cancelled,
}

impl CallDriver {
    async fn run(mut self) {
        let is_modern = self.profile.revision.is_modern();
        let end = if is_modern { self.rounds().await } else { self.in_session().await };
        let end = end.unwrap_or_else(|end| end);
        self.judge_end(&end).await;
        let status = match &end {
            DevCallEnd::Finished(..) => DevCallStatus::Finished,
            DevCallEnd::Failed { .. } => DevCallStatus::Failed,
            DevCallEnd::Cancelled => DevCallStatus::Cancelled,
        };
        let wire = end.wire();
        self.call.end(status, end.event(), wire);
        self.calls.limit_bytes();
    }

    /// Returns whose messages the connection carries now.
    fn owner(&self) -> MessageOwner {
        MessageOwner { call: Some(Arc::clone(&self.call.id)), round: Some(self.call.round()) }
    }

    fn begin_round(&self, again: bool) {
        self.call.publish(CallEventKind::Round { instance: self.setup.instance(), again }, None);
    }

    /// Shows a notification of the server.
    fn hear(&self, notification: ServerNotification, n: u64) {
        let kind = match notification {
            ServerNotification::Log(Log { level, logger, data }) => CallEventKind::Log { level, logger, data },
            ServerNotification::Progress(Report { progress, total, message }) => {
                CallEventKind::Progress { progress, total, message }
            }
            ServerNotification::Other { .. } => return,
        };
        self.call.publish(kind, Some(n));
    }

    /// Waits for a future, and obeys the page meanwhile.
    async fn while_listening<T>(&mut self, future: impl Future<Output = T>) -> Result<T, DevCallEnd> {
        let mut future = pin!(future);
        loop {
            tokio::select! {
                value = &mut future => return Ok(value),
                command = self.commands.recv() => self.obey(command).await.map(drop)?,
            }
        }
    }

    /// Obeys the page. Returns the number of a question and its result, if this answers one.
    async fn obey(&mut self, command: Option<CallCommand>) -> Result<Option<(u32, Value)>, DevCallEnd> {
        match command {
            None => Err(DevCallEnd::Cancelled),
            Some(CallCommand::Cancel) => Err(DevCallEnd::Cancelled),
            Some(CallCommand::Answer { seq, result }) => Ok(Some((seq, result))),
            Some(CallCommand::AskModel(question)) => {
                self.ask_model(question);
                Ok(None)
            }
            Some(CallCommand::Fault(fault)) => self.cause(fault).await.map(|()| None),
        }
    }

    /// Causes a fault now, or arms it.
    async fn cause(&mut self, fault: DevFault) -> Result<(), DevCallEnd> {
        if rule(fault).point != FaultPoint::Now {
            self.call.arm(fault);
            return Ok(());
        }
        self.tell(fault);
        self.pending.push(CausedFault::of(fault));
        let target = Arc::clone(self.pool.target());
        let done = match fault {
            DevFault::Kill => target.kill(self.setup.instance()).await,
            DevFault::ClockForward => target.advance_clock(FORWARD).await,
            _ => return Err(DevCallEnd::Cancelled),
        };
        done.map_err(DevCallEnd::failed)
    }

    /// Says that a fault happens.
    fn tell(&self, fault: DevFault) {
        self.call.publish(CallEventKind::Fault { fault, told: rule(fault).told.to_owned() }, None);
    }

    /// Lets the model answer a question. If it fails, the question is asked again.
    fn ask_model(&self, question: DevQuestion) {
        let (Some(model), call) = (self.model.clone(), Arc::clone(&self.call)) else { return };
        tokio::spawn(async move {
            let DevQuestion::Sampling { seq, params, .. } = &question else { return };
            match model.reply(params).await {
                Ok(result) => {
                    let seq = *seq;
                    let shown = AnyAnswer::Reply { text: None, result: result.as_object().cloned() };
                    call.answered(&question, DevAnswerer::Model, shown);
                    call.command(CallCommand::Answer { seq, result });
                }
                Err(why) => {
                    let (level, logger) = (Level::Error, Some(model.name));
                    call.publish(CallEventKind::Log { level, logger, data: why.into() }, None);
                    call.ask(question, None);
                }
            }
        });
    }
}

impl DevCallEnd {
    fn failed(told: String) -> Self {
        Self::Failed { error: ProtocolError { code: 0, message: told, data: Value::Null }, n: None }
    }

    fn of(reply: RoundReply) -> Self {
        match reply.outcome {
            Ok(result) => Self::Finished(result, reply.n),
            Err(error) => Self::Failed { error, n: Some(reply.n) },
        }
    }

    fn wire(&self) -> Option<u64> {
        match self {
            Self::Finished(_, n) => Some(*n),
            Self::Failed { n, .. } => *n,
            Self::Cancelled => None,
        }
    }

    fn event(self) -> CallEventKind {
        match self {
            Self::Finished(result, _) => CallEventKind::Finished { result },
            Self::Failed { error: ProtocolError { code, message, data }, .. } => CallEventKind::Failed {
                code: (code != 0).then_some(code),
                told: message,
                data: (!data.is_null()).then_some(data),
            },
            Self::Cancelled => CallEventKind::Cancelled,
        }
    }
}
