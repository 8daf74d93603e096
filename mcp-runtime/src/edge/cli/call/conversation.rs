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
    engine::tool::registered::RegisteredTool,
    serve::{
        client::{
            AnswersQuestions, ClientProfile, ClientRequest, Question, RequestFailure, ServerNotification, ServiceClient,
        },
        server::Service,
    },
    wire::protocol::level::Level,
};

/// The reason why a request of the command line has no result.
pub(crate) type CliFailure = RequestFailure<UnansweredQuestion>;

type CliResult = Result<Box<RawValue>, CliFailure>;

/// Makes a request as a client of the newest protocol revision, and shows the log messages and the progress of the
/// call. `name` is the name of the called item. Log messages below the level `log` are not shown.
pub(crate) async fn request(
    service: &Service,
    name: &str,
    request: ClientRequest,
    log: Option<Level>,
    questions: InputRequests,
) -> CliResult {
    let cannot_call = |error: io::Error| {
        RequestFailure::Stopped(UnansweredQuestion::Failed(format!("cannot call `{name}`: {error}")))
    };
    let profile = ClientProfile::newest("mcp-runtime-cli", questions.capabilities(), log);
    let client = Arc::new(ServiceClient::connect(service, &profile));
    let (end, ended) = oneshot::channel();
    let runtime = Builder::new_current_thread().enable_all().build().map_err(cannot_call)?;
    let terminal = CallTerminal { screen: Screen::new(name), questions };
    let thread = std::thread::Builder::new().name("mcp-terminal".into()).spawn({
        let client = Arc::clone(&client);
        move || {
            runtime.block_on(async {
                let (result, end) = terminal.run(&client, &request, end).await;
                let is_interrupted = result.as_ref().is_err_and(is_interruption);
                // The receiver is gone if the program has dropped the server.
                let _ = end.send(result);
                if is_interrupted {
                    interrupted_again().await;
                    std::process::exit(INTERRUPTED.into());
                }
            });
        }
    });
    thread.map_err(cannot_call)?;
    let result = ended.await;
    client.abort();
    result.unwrap_or_else(|_| Err(cannot_call(io::Error::other("the thread of the terminal panicked"))))
}

/// Writes why there is no result to standard error, and returns the exit code. If the request needs more than this
/// client can do, adds advice about `item`. `page` is the command that shows the page of the item.
pub(crate) fn no_result(failure: &CliFailure, item: Option<&RegisteredTool>, page: Option<&str>) -> ExitCode {
    let Some(reason) = reason(failure) else { return ExitCode::from(INTERRUPTED) };
    match failure {
        RequestFailure::Stopped(UnansweredQuestion::BadAnswer(_)) => refuse(reason),
        RequestFailure::Refused(error) => match MissingCapability::read(&error.data).zip(item) {
            Some((missing, item)) => fail(format_args!("{reason}\n\n{}", missing.advice(page, item))),
            None => fail(reason),
        },
        _ => fail(reason),
    }
}

/// Returns the reason as text. Returns `None` if the user interrupted the call.
pub(crate) fn reason(failure: &CliFailure) -> Option<String> {
    Some(match failure {
        RequestFailure::Refused(error) => error.message.clone(),
        RequestFailure::Unreadable(error) => format!("the server sent an invalid message: {error}"),
        RequestFailure::Stopped(UnansweredQuestion::Failed(reason) | UnansweredQuestion::BadAnswer(reason)) => {
            reason.clone()
        }
        RequestFailure::Stopped(UnansweredQuestion::Interrupted) | RequestFailure::Lost => return None,
    })
}

fn is_interruption(failure: &CliFailure) -> bool {
    matches!(failure, RequestFailure::Stopped(UnansweredQuestion::Interrupted) | RequestFailure::Lost)
}

/// Shows the messages of a call, and answers its questions.
struct CallTerminal {
    screen: Screen,
    questions: InputRequests,
}

impl CallTerminal {
    /// Runs the call until it ends, or the user interrupts it, or the receiver of `end` is dropped.
    async fn run(
        mut self,
        client: &Arc<ServiceClient>,
        request: &ClientRequest,
        mut end: oneshot::Sender<CliResult>,
    ) -> (CliResult, oneshot::Sender<CliResult>) {
        let result = {
            let mut interrupt = pin!(interrupted());
            let mut call = pin!(client.call(request, &mut self));
            poll_fn(|cx| {
                if interrupt.as_mut().poll(cx).is_ready() || end.poll_closed(cx).is_ready() {
                    return Poll::Ready(Err(RequestFailure::Stopped(UnansweredQuestion::Interrupted)));
                }
                call.as_mut().poll(cx)
            })
            .await
        };
        let Self { screen, questions } = self;
        drop(screen);
        if result.as_ref().is_err_and(is_interruption) {
            tell("cancelled");
        } else {
            questions.report_unused();
        }
        (result, end)
    }
}

impl AnswersQuestions for CallTerminal {
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
