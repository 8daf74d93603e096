//! The terminal's side of a call.
//!
//! It runs on a separate thread, so that it shows messages and receives Ctrl-C while a tool blocks the thread of the
//! author's async runtime. The service runs on that runtime.

use std::{
    future::{pending, poll_fn},
    io,
    pin::pin,
    process::ExitCode,
    sync::Arc,
    task::Poll,
    time::Duration,
};

use serde_json::{Value, value::RawValue};
use tokio::{runtime::Builder, sync::oneshot, time::timeout};

use super::{missing::MissingCapability, screen::Screen};
use crate::{
    edge::cli::{
        answers::InputRequests,
        exit::{INTERRUPTED, fail, refuse},
        terminal::{prompt::UnansweredQuestion, tell},
    },
    serve::{
        client::{
            AnswersQuestions, ClientProfile, ClientRequest, ProtocolError, Question, RequestFailure,
            ServerNotification, ServiceClient,
        },
        server::Service,
    },
    wire::protocol::level::Level,
};

/// How a call ended.
pub(crate) enum Ending {
    /// The request has a result.
    Result(Box<RawValue>),
    /// The call returned a protocol error, or a question could not be answered.
    Refused(String),
    /// An answer from the command line does not fit its question.
    BadAnswer(String),
    /// The tool asks a question that this client cannot answer.
    Unasked(String, MissingCapability),
    /// The user cancelled the call with Ctrl-C.
    Interrupted,
}

/// Makes a request as a client of the newest protocol revision, and shows the log messages and the progress of the
/// call. `name` is the name of the called item. Log messages below the level `log` are not shown.
pub(crate) async fn hold(
    service: &Service,
    name: &str,
    request: ClientRequest,
    log: Option<Level>,
    questions: InputRequests,
) -> io::Result<Ending> {
    let profile = ClientProfile::newest("mcp-runtime-cli", questions.capabilities(), log);
    let client = Arc::new(ServiceClient::connect(service, profile));
    let (end, ended) = oneshot::channel();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let terminal = Terminal { screen: Screen::new(name), questions };
    std::thread::Builder::new().name("mcp-terminal".into()).spawn({
        let client = Arc::clone(&client);
        move || {
            runtime.block_on(async {
                let (ending, end) = terminal.talk(&client, &request, end).await;
                let again = matches!(ending, Ending::Interrupted);
                // The receiver is gone if the program has dropped the server.
                let _ = end.send(ending);
                if again {
                    interrupted_again().await;
                    std::process::exit(INTERRUPTED.into());
                }
            });
        }
    })?;
    let ended = ended.await;
    client.abort();
    ended.map_err(|_| io::Error::other("the thread that talks to the terminal panicked"))
}

/// Reports why there is no result. `noun` is the kind of the called item, such as `tool`.
pub(crate) fn no_result(ended: io::Result<Ending>, noun: &str) -> ExitCode {
    match ended {
        Ok(Ending::Result(_)) => ExitCode::SUCCESS,
        Ok(Ending::Refused(message) | Ending::Unasked(message, _)) => fail(message),
        Ok(Ending::BadAnswer(reason)) => refuse(reason),
        Ok(Ending::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) => refuse(format_args!("cannot call the {noun}: {error}")),
    }
}

/// Shows the messages of a call, and answers its questions.
struct Terminal {
    screen: Screen,
    questions: InputRequests,
}

impl Terminal {
    /// Runs the call until it ends, or the user interrupts it, or the receiver of `end` is dropped.
    async fn talk(
        mut self,
        client: &Arc<ServiceClient>,
        request: &ClientRequest,
        mut end: oneshot::Sender<Ending>,
    ) -> (Ending, oneshot::Sender<Ending>) {
        let ending = {
            let mut interrupt = pin!(interrupted());
            let mut call = pin!(client.call(request, &mut self));
            let ended = poll_fn(|cx| {
                if interrupt.as_mut().poll(cx).is_ready() || end.poll_closed(cx).is_ready() {
                    return Poll::Ready(Err(RequestFailure::Stopped(UnansweredQuestion::Interrupted)));
                }
                call.as_mut().poll(cx)
            });
            ended.await.map_or_else(Ending::from, Ending::Result)
        };
        let Self { screen, questions } = self;
        drop(screen);
        match ending {
            Ending::Interrupted => tell("cancelled"),
            _ => questions.report_unused(),
        }
        (ending, end)
    }
}

impl AnswersQuestions for Terminal {
    type Stop = UnansweredQuestion;

    async fn answer(&mut self, question: &Question) -> Result<Option<Value>, UnansweredQuestion> {
        self.screen.clear();
        self.questions.answer(question)
    }

    fn notice(&mut self, notification: ServerNotification) {
        match notification {
            ServerNotification::Progress(report) => self.screen.progress(&report),
            ServerNotification::Log(log) => self.screen.log(&log),
            ServerNotification::Other { .. } => {}
        }
    }
}

impl From<RequestFailure<UnansweredQuestion>> for Ending {
    fn from(end: RequestFailure<UnansweredQuestion>) -> Self {
        match end {
            RequestFailure::Refused(ProtocolError { message, data, .. }) => match MissingCapability::read(&data) {
                Some(missing) => Self::Unasked(message, missing),
                None => Self::Refused(message),
            },
            RequestFailure::Stopped(UnansweredQuestion::Failed(reason)) => Self::Refused(reason),
            RequestFailure::Stopped(UnansweredQuestion::BadAnswer(reason)) => Self::BadAnswer(reason),
            RequestFailure::Unreadable(error) => Self::Refused(format!("the server sent an invalid message: {error}")),
            RequestFailure::Stopped(UnansweredQuestion::Interrupted) | RequestFailure::Lost => Self::Interrupted,
        }
    }
}

/// Waits for a second Ctrl-C. The caller then ends the program, even if a tool still blocks the thread of the runtime.
async fn interrupted_again() {
    if timeout(Duration::from_millis(500), interrupted()).await.is_err() {
        tell("the tool is still busy; press Ctrl-C again to end the program at once");
        interrupted().await;
    }
}

/// Waits for Ctrl-C. Waits forever if signals are not available.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        pending::<()>().await;
    }
}
