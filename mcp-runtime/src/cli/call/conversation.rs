//! What client and server say to each other during a call.
//!
//! The person's side runs on a thread of its own: it shows what comes, and hears Ctrl-C, while a tool keeps the
//! runtime's thread busy. The other side hands its messages to the service, on the author's runtime.

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
    messages::{InputRequired, Message, Request, Round, Wanted},
    questions::{Questions, Unanswered},
    screen::{Log, Progress, Screen},
};
use crate::{cli::terminal::tell, protocol::frame::Frame, server::Service};

/// How a call ended.
pub(super) enum Ending {
    /// With a `CallToolResult`.
    Result(Box<RawValue>),
    /// With an error of the protocol, or for want of an answer.
    Refused(String),
    /// An answer from the command line is not one to its question.
    BadAnswer(String),
    /// The tool asks, and nobody here can answer.
    Unasked(String, Wanted),
    /// Cancelled from the keyboard.
    Interrupted,
}

/// Calls the tool as a client of the newest revision does, and shows what it says on the way.
pub(super) async fn hold(service: &Service, request: Request, questions: Questions) -> io::Result<Ending> {
    let mut client = service.memory();
    let heard = client.take_messages();
    let (say, mut said) = unbounded_channel();
    let (end, ended) = oneshot::channel();
    let runtime = Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("mcp-terminal".into()).spawn(move || {
        runtime.block_on(async {
            let ending = Terminal { heard, say, questions }.talk(&request).await;
            let again = matches!(ending, Ending::Interrupted);
            // Nobody waits any more if the program has dropped the server.
            let _ = end.send(ending);
            if again {
                interrupted_again().await;
                std::process::exit(INTERRUPTED.into());
            }
        });
    })?;
    // Ends when the other side has no more to say.
    while let Some(message) = said.recv().await {
        client.send(&message).await;
    }
    ended.await.map_err(|_| io::Error::other("the thread that talks to the terminal panicked"))
}

/// The person's side.
struct Terminal {
    heard: UnboundedReceiver<Frame>,
    say: UnboundedSender<String>,
    questions: Questions,
}

impl Terminal {
    async fn talk(mut self, request: &Request) -> Ending {
        let mut screen = Screen::new(&request.tool);
        let ending = self.rounds(request, &mut screen).await;
        drop(screen);
        match ending {
            Ending::Interrupted => tell("cancelled"),
            _ => self.questions.report_unused(),
        }
        ending
    }

    /// One round after another, until the call is over.
    async fn rounds(&mut self, request: &Request, screen: &mut Screen) -> Ending {
        let mut interrupt = pin!(interrupted());
        let capabilities = self.questions.capabilities();
        let mut round = Round::default();
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
            let message: Message = match serde_json::from_str(&frame.to_string()) {
                Ok(message) => message,
                Err(error) => return unreadable(&error),
            };
            match message {
                Message { result: Some(result), .. } => {
                    let Some(asked) = InputRequired::read(&result) else { return Ending::Result(result) };
                    screen.clear();
                    round = match asked.map(|asked| self.next_round(&round, asked)) {
                        Ok(Ok(round)) => round,
                        Ok(Err(Unanswered::Interrupted)) => return Ending::Interrupted,
                        Ok(Err(Unanswered::Failed(reason))) => return Ending::Refused(reason),
                        Ok(Err(Unanswered::BadAnswer(reason))) => return Ending::BadAnswer(reason),
                        Err(error) => return unreadable(&error),
                    };
                    self.say(round.message(request, &capabilities));
                }
                Message { error: Some(error), .. } => {
                    return match error.wanted() {
                        Some(wanted) => Ending::Unasked(error.message, wanted),
                        None => Ending::Refused(error.message),
                    };
                }
                Message { method: Some(method), params: Some(params), .. } => show(screen, &method, params),
                _ => {}
            }
        }
    }

    fn next_round(&mut self, round: &Round, mut asked: InputRequired) -> Result<Round, Unanswered> {
        let answers = self.questions.answer(std::mem::take(&mut asked.input_requests))?;
        Ok(round.next(asked, answers))
    }

    fn say(&self, message: String) {
        // Where nobody listens any more, nobody will answer: `heard` ends as well.
        let _ = self.say.send(message);
    }
}

fn unreadable(error: &serde_json::Error) -> Ending {
    Ending::Refused(format!("the server sent what cannot be read: {error}"))
}

/// Waits for another Ctrl-C, if the program lives long enough: a tool that keeps its thread cannot be dropped.
async fn interrupted_again() {
    if timeout(Duration::from_millis(500), interrupted()).await.is_err() {
        tell("the tool is still busy; Ctrl-C again ends the program at once");
        interrupted().await;
    }
}

/// Waits for Ctrl-C; for ever where it cannot be heard.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        pending::<()>().await;
    }
}

fn show(screen: &mut Screen, method: &str, params: Value) {
    match method {
        "notifications/progress" => {
            if let Ok(progress) = serde_json::from_value::<Progress>(params) {
                screen.progress(&progress);
            }
        }
        "notifications/message" => {
            if let Ok(log) = serde_json::from_value::<Log>(params) {
                screen.log(&log);
            }
        }
        _ => {}
    }
}
