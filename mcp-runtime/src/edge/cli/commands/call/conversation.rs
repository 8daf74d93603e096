//! The messages between client and server during a call.
//!
//! The terminal's side runs on a separate thread, so that it shows messages and receives Ctrl-C while a tool blocks the
//! runtime's thread. The other side runs on the author's async runtime, and passes the messages of the terminal to the
//! service.

use std::{
    future::{pending, poll_fn},
    io,
    pin::pin,
    task::Poll,
    time::Duration,
};

use serde_json::{Value, value::RawValue};
use tokio::{
    runtime::Builder,
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        oneshot,
    },
    time::timeout,
};

use super::{
    INTERRUPTED,
    messages::{CallRequest, CallRound, InputRequired, MissingCapability, ServerMessage},
    questions::{InputRequests, UnansweredQuestion},
    screen::{LogParams, ProgressParams, Screen},
};
use crate::{edge::cli::commands::terminal::tell, serve::server::Service, wire::protocol::frame::Frame};

/// How a call ended.
pub(super) enum Ending {
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

/// Sends a request as a client of the newest protocol revision, and shows the log messages and the progress of the
/// call.
pub(super) async fn hold(service: &Service, request: CallRequest, questions: InputRequests) -> io::Result<Ending> {
    let mut client = service.memory();
    let heard = client.take_messages();
    let (say, mut said) = unbounded_channel();
    let (end, ended) = oneshot::channel();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("mcp-terminal".into()).spawn(move || {
        runtime.block_on(async {
            let ending = Terminal { heard, say, questions }.talk(&request).await;
            let again = matches!(ending, Ending::Interrupted);
            // The receiver is gone if the program has dropped the server.
            let _ = end.send(ending);
            if again {
                interrupted_again().await;
                std::process::exit(INTERRUPTED.into());
            }
        });
    })?;
    // Ends when the terminal's side has no more messages.
    while let Some(message) = said.recv().await {
        client.send(&message).await;
    }
    ended.await.map_err(|_| io::Error::other("the thread that talks to the terminal panicked"))
}

/// The terminal's side of a call.
struct Terminal {
    heard: UnboundedReceiver<Frame>,
    say: UnboundedSender<String>,
    questions: InputRequests,
}

impl Terminal {
    async fn talk(mut self, request: &CallRequest) -> Ending {
        let mut screen = Screen::new(&request.name);
        let ending = self.rounds(request, &mut screen).await;
        drop(screen);
        match ending {
            Ending::Interrupted => tell("cancelled"),
            _ => self.questions.report_unused(),
        }
        ending
    }

    /// Runs rounds until the call ends.
    async fn rounds(&mut self, request: &CallRequest, screen: &mut Screen) -> Ending {
        let mut interrupt = pin!(interrupted());
        let capabilities = self.questions.capabilities();
        let mut round = CallRound::default();
        self.say(round.message(request, &capabilities));
        loop {
            let heard = poll_fn(|cx| match interrupt.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(None),
                Poll::Pending => self.heard.poll_recv(cx),
            });
            let Some(frame) = heard.await else {
                self.say(round.cancel(&capabilities));
                return Ending::Interrupted;
            };
            let message: ServerMessage = match serde_json::from_str(&frame.to_string()) {
                Ok(message) => message,
                Err(error) => return unreadable(&error),
            };
            match message {
                ServerMessage { result: Some(result), .. } => {
                    let Some(asked) = InputRequired::read(&result) else { return Ending::Result(result) };
                    screen.clear();
                    round = match asked.map(|asked| self.next_round(&round, asked)) {
                        Ok(Ok(round)) => round,
                        Ok(Err(UnansweredQuestion::Interrupted)) => return Ending::Interrupted,
                        Ok(Err(UnansweredQuestion::Failed(reason))) => return Ending::Refused(reason),
                        Ok(Err(UnansweredQuestion::BadAnswer(reason))) => return Ending::BadAnswer(reason),
                        Err(error) => return unreadable(&error),
                    };
                    self.say(round.message(request, &capabilities));
                }
                ServerMessage { error: Some(error), .. } => {
                    return match error.wanted() {
                        Some(wanted) => Ending::Unasked(error.message, wanted),
                        None => Ending::Refused(error.message),
                    };
                }
                ServerMessage { method: Some(method), params: Some(params), .. } => show(screen, &method, params),
                _ => {}
            }
        }
    }

    fn next_round(&mut self, round: &CallRound, mut asked: InputRequired) -> Result<CallRound, UnansweredQuestion> {
        let answers = self.questions.answer(std::mem::take(&mut asked.input_requests))?;
        Ok(round.next(asked, answers))
    }

    fn say(&self, message: String) {
        // If the receiver is gone, `heard` ends as well.
        let _ = self.say.send(message);
    }
}

fn unreadable(error: &serde_json::Error) -> Ending {
    Ending::Refused(format!("the server sent an invalid message: {error}"))
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

fn show(screen: &mut Screen, method: &str, params: Value) {
    match method {
        "notifications/progress" => {
            if let Ok(progress) = serde_json::from_value::<ProgressParams>(params) {
                screen.progress(&progress);
            }
        }
        "notifications/message" => {
            if let Ok(log) = serde_json::from_value::<LogParams>(params) {
                screen.log(&log);
            }
        }
        _ => {}
    }
}
