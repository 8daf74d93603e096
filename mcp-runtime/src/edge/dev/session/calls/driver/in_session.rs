//! A call in a session (before 2026-07-28): the server asks with requests of its own while the call runs.

use serde_json::Value;
use tokio::time::sleep;

use super::{
    CallDriver, CausedFault, DevCallEnd, RoundReply,
    exchange::{MIDDLE, read},
};
use crate::{
    edge::dev::session::{
        api::{call::DevQuestion, fault::DevFault},
        calls::answers::wrong,
        client::{DevConnection, HeardMessage},
    },
    serve::client::{Question, RoundInput, ServerMessage, ServerNotification, answer_to_request},
};

/// A question of the server, and the id of its request.
struct SessionQuestion {
    request: Value,
    question: DevQuestion,
}

/// What happens next in a session.
enum SessionStep {
    Ended(RoundReply),
    /// The client makes the call again.
    Again,
}

impl CallDriver {
    pub(super) async fn in_session(&mut self) -> Result<DevCallEnd, DevCallEnd> {
        let mut again = false;
        loop {
            let mut connection = self.connect().await?;
            self.begin_round(again);
            let step = self.session_call(&mut connection).await;
            if !matches!(step, Err(_) | Ok(SessionStep::Again)) {
                self.pool.put(&self.setup, connection);
            }
            match step? {
                SessionStep::Ended(reply) => return Ok(DevCallEnd::of(reply)),
                SessionStep::Again => {
                    self.prepared.begin_again();
                    again = true;
                }
            }
        }
    }

    /// Sends the request, and answers the questions of the server until it has replied.
    async fn session_call(&mut self, connection: &mut DevConnection) -> Result<SessionStep, DevCallEnd> {
        let input = RoundInput::default();
        let mut open = vec![self.send(connection, &input)];
        if self.call.take_armed(DevFault::SendTwice) {
            self.tell(DevFault::SendTwice);
            self.begin_round(true);
            open.push(self.send(connection, &input));
            self.pending.push(CausedFault::of(DevFault::SendTwice));
        }
        if self.call.take_armed(DevFault::CloseConnection) {
            return self.close_session().await;
        }
        let mut asked: Vec<SessionQuestion> = Vec::new();
        let mut first = None;
        loop {
            tokio::select! {
                heard = connection.receive() => {
                    let HeardMessage { n, message } = heard;
                    match message.map_err(DevCallEnd::failed)? {
                        ServerMessage::Notification(notification) => {
                            self.withdrawn(&notification, &mut asked);
                            self.hear(notification, n);
                        }
                        ServerMessage::Request { id, method, params } => {
                            if let Some(question) = self.asked(connection, (id, method, params), n, &mut asked) {
                                self.judge_question(&question).await;
                            }
                            self.answer_wrongly(connection, &mut asked);
                            self.answer_prepared();
                        }
                        ServerMessage::Response { id, reply } => {
                            let Some(at) = open.iter().position(|open| id == *open) else { continue };
                            open.remove(at);
                            let reply = RoundReply { n, outcome: read(reply) };
                            let reply = first.take().unwrap_or(reply);
                            if !open.is_empty() {
                                first = Some(reply);
                                continue;
                            }
                            if self.call.take_armed(DevFault::LoseReply) {
                                self.tell(DevFault::LoseReply);
                                self.pending.push(CausedFault::of(DevFault::LoseReply));
                                return Ok(SessionStep::Again);
                            }
                            return Ok(SessionStep::Ended(reply));
                        }
                    }
                }
                command = self.commands.recv() => match self.obey(command).await {
                    Err(end) => {
                        for id in open {
                            connection.cancel(&self.profile, id).await;
                        }
                        // The message leaves before the connection is closed.
                        sleep(MIDDLE).await;
                        return Err(end);
                    }
                    Ok(None) => self.answer_wrongly(connection, &mut asked),
                    Ok(Some((seq, result))) => {
                        if self.call.take_armed(DevFault::CloseConnection) {
                            return self.close_session().await;
                        }
                        self.answer(connection, &mut asked, seq, result);
                    }
                },
            }
        }
    }

    /// Closes the connection, and with it the session.
    async fn close_session(&mut self) -> Result<SessionStep, DevCallEnd> {
        self.tell(DevFault::CloseConnection);
        self.while_listening(sleep(MIDDLE)).await?;
        self.call.withdraw_all();
        self.pending.push(CausedFault::of(DevFault::CloseConnection));
        Ok(SessionStep::Again)
    }

    /// Shows a question of the server. Returns `None` for another request.
    fn asked(
        &self,
        connection: &DevConnection,
        (id, method, params): (Value, String, Value),
        n: u64,
        asked: &mut Vec<SessionQuestion>,
    ) -> Option<DevQuestion> {
        if !matches!(&*method, "elicitation/create" | "sampling/createMessage" | "roots/list") {
            connection.respond(&id, answer_to_request(&method));
            return None;
        }
        // The request itself has no key.
        let key = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let question = Question::new(key, method, params);
        let question = DevQuestion::new(self.call.next_seq(), &question);
        asked.push(SessionQuestion { request: id, question: question.clone() });
        self.call.ask(question.clone(), Some(n));
        Some(question)
    }

    /// Closes a question that the server has withdrawn.
    fn withdrawn(&self, notification: &ServerNotification, asked: &mut Vec<SessionQuestion>) {
        let ServerNotification::Other { method, params } = notification else { return };
        if method == "notifications/cancelled" {
            asked.retain(|question| {
                let is_withdrawn = question.request == params["requestId"];
                if is_withdrawn {
                    self.call.withdraw(question.question.seq());
                }
                !is_withdrawn
            });
        }
    }

    /// Answers a question of the server. The answers of a session are its rounds.
    fn answer(&mut self, connection: &DevConnection, asked: &mut Vec<SessionQuestion>, seq: u32, result: Value) {
        let Some(at) = asked.iter().position(|asked| asked.question.seq() == seq) else { return };
        let SessionQuestion { request, .. } = asked.remove(at);
        self.call.begin_round(self.call.round() + 1);
        connection.own(self.owner());
        self.begin_round(false);
        connection.respond(&request, ("result", result.clone()));
        if self.call.take_armed(DevFault::SendTwice) {
            self.tell(DevFault::SendTwice);
            self.begin_round(true);
            connection.respond(&request, ("result", result));
            self.pending.push(CausedFault { same_reply: Some(true), ..CausedFault::of(DevFault::SendTwice) });
        }
    }

    /// Answers all questions with content that does not fit, if this fault is armed.
    fn answer_wrongly(&mut self, connection: &DevConnection, asked: &mut Vec<SessionQuestion>) {
        let is_form = |asked: &SessionQuestion| matches!(asked.question, DevQuestion::Form(_) | DevQuestion::Url(_));
        if asked.iter().any(is_form) && self.call.take_armed(DevFault::AnswerWrongly) {
            self.tell(DevFault::AnswerWrongly);
            let answered = asked.iter().map(|asked| asked.question.clone()).collect();
            self.pending.push(CausedFault { answered, ..CausedFault::of(DevFault::AnswerWrongly) });
            for (seq, result) in self.call.answer_all(wrong) {
                self.answer(connection, asked, seq, result);
            }
        }
    }
}
