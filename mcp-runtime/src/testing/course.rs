//! The course of a call: from its request to its end, answering what is asked.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};

use super::{
    client::{Client, Settings, ToolCall},
    connection::{Connection, Message},
    limit::Limit,
    outcome::{Log, Outcome, ProtocolError, Report},
    question::Question,
    script::{Script, Step},
};
use crate::server::Service;

/// What does not fit, in words.
type Misfit = String;

type Answer = Result<Value, ProtocolError>;

/// A call on its way, or whatever else a client does with its connection.
struct Course<'a> {
    service: &'a Service,
    settings: &'a Settings,
    connection: Connection,
    limit: Limit,
    script: Script,
    /// Answers that the script gives only later.
    due: Vec<Due>,
    asked: Vec<Question>,
    logs: Vec<Log>,
    progress: Vec<Report>,
    rounds: usize,
}

/// The answer to a request of the server: `result` or `error`, and its value.
struct Due {
    at: Instant,
    id: Value,
    answer: (&'static str, Value),
}

/// Calls a tool. The error is the text of a panic.
pub(super) async fn run(client: &mut Client, request: ToolCall, script: Script) -> Result<Outcome, String> {
    let mut course = Course::begin(client, script);
    let all = course.connection.transcript.len();
    let ToolCall { name, arguments, at } = request;
    match course.call(&name, arguments).await {
        Ok((answer, start)) => {
            let Course { connection, asked, logs, progress, rounds, .. } = course;
            let transcript = connection.transcript.since(start);
            client.connection = Some(connection);
            Ok(Outcome { answer, asked, rounds, transcript, logs, progress })
        }
        Err(misfit) => {
            let said = course.connection.transcript.since(all);
            Err(format!("the script does not fit the call of `{name}` ({at}): {misfit}\n\nwhat was said:\n{said}"))
        }
    }
}

/// Lists the tools. The error is the text of a panic.
pub(super) async fn list_tools(client: &mut Client) -> Result<Vec<Value>, String> {
    let mut course = Course::begin(client, Script::default());
    let tools = course.list_tools().await;
    let tools = tools.map_err(|misfit| format!("{misfit}\n\nwhat was said:\n{}", course.connection.transcript))?;
    client.connection = Some(course.connection);
    Ok(tools)
}

impl<'a> Course<'a> {
    fn begin(client: &'a mut Client, script: Script) -> Self {
        let connection = client
            .connection
            .take()
            .unwrap_or_else(|| Connection::new(&client.service, client.settings.principal.as_deref()));
        Self {
            service: &client.service,
            settings: &client.settings,
            connection,
            limit: Limit::start(client.settings.limit),
            script,
            due: Vec::new(),
            asked: Vec::new(),
            logs: Vec::new(),
            progress: Vec::new(),
            rounds: 0,
        }
    }

    /// What came of the call, and where in the transcript it begins.
    async fn call(&mut self, tool: &str, arguments: Option<Map<String, Value>>) -> Result<(Answer, usize), Misfit> {
        self.open().await?;
        let start = self.connection.transcript.len();
        let mut params = Map::new();
        params.insert("name".into(), tool.into());
        params.extend(arguments.map(|arguments| ("arguments".into(), arguments.into())));
        let answer = self.rounds(params).await?;
        match &self.script.rest()[..] {
            [] => Ok((answer, start)),
            rest => Err(format!("nothing was asked that is answered by\n  {}", rest.join("\n  "))),
        }
    }

    /// Since 2026-07-28 a call asks by ending its request, and goes on with the next one.
    async fn rounds(&mut self, params: Map<String, Value>) -> Result<Answer, Misfit> {
        let mut next_round = Map::new();
        loop {
            self.rounds += 1;
            let mut params = params.clone();
            params.extend(next_round);
            match self.request("tools/call", params).await? {
                Ok(mut result) if result["resultType"] == "input_required" => {
                    next_round = Map::new();
                    if let Value::Object(questions) = result["inputRequests"].take() {
                        let responses = self.answer_round(questions).await?;
                        next_round.insert("inputResponses".into(), responses.into());
                    }
                    if self.settings.rebuilds {
                        self.service.0.parking.forget_futures();
                    }
                    if let Some(state) = result.get_mut("requestState") {
                        next_round.insert("requestState".into(), state.take());
                    }
                }
                answer => return Ok(answer),
            }
        }
    }

    /// The answers to everything a round asks. They leave together, when the last of them is there.
    async fn answer_round(&mut self, questions: Map<String, Value>) -> Result<Map<String, Value>, Misfit> {
        let mut responses = Map::new();
        let mut delay = Duration::ZERO;
        for (key, question) in questions {
            let (answer, after) = self.answer(Question::new(key.clone(), question))?;
            delay = delay.max(after);
            let ("result", response) = answer else {
                let revision = self.settings.revision;
                return Err(format!("an answer of {revision} has no place for an error; write `decline` or `cancel`"));
            };
            responses.insert(key, response);
        }
        self.limit.extend(delay);
        sleep(delay).await;
        Ok(responses)
    }

    async fn list_tools(&mut self) -> Result<Vec<Value>, Misfit> {
        self.open().await?;
        let mut tools = Vec::new();
        let mut params = Map::new();
        loop {
            let answer = self.request("tools/list", params).await?;
            let mut page = answer.map_err(|error| format!("`tools/list` failed: {}", error.message))?;
            if let Value::Array(listed) = page["tools"].take() {
                tools.extend(listed);
            }
            let Some(cursor) = page.get_mut("nextCursor").map(Value::take) else { return Ok(tools) };
            params = Map::from_iter([("cursor".to_owned(), cursor)]);
        }
    }

    /// Shakes hands, where the revision has that and it was not done.
    async fn open(&mut self) -> Result<(), Misfit> {
        let Settings { revision, capabilities, info, log_level, .. } = self.settings;
        if revision.is_modern() || self.connection.opened {
            return Ok(());
        }
        let hello = json!({ "protocolVersion": revision.as_str(), "capabilities": capabilities, "clientInfo": info });
        self.request_in_session("initialize", hello).await?;
        self.connection.notify("notifications/initialized", &self.limit).await?;
        if let Some(level) = log_level {
            self.request_in_session("logging/setLevel", json!({ "level": level.as_str() })).await?;
        }
        self.connection.opened = true;
        Ok(())
    }

    async fn request_in_session(&mut self, method: &str, params: Value) -> Result<Value, Misfit> {
        let Value::Object(params) = params else { unreachable!("`params` is written as an object") };
        let answer = self.request(method, params).await?;
        answer.map_err(|error| format!("`{method}` failed: {}", error.message))
    }

    /// Sends a request and waits for its response. Whatever else the server says meanwhile is taken in.
    async fn request(&mut self, method: &str, params: Map<String, Value>) -> Result<Answer, Misfit> {
        let id = self.connection.request(method, params, self.settings, &self.limit).await?;
        loop {
            let until = self.due.iter().map(|due| due.at).min();
            match self.connection.receive(until, &self.limit).await? {
                None => self.give_what_is_due().await?,
                Some(Message::Notification { method, params }) => self.note(&method, params),
                Some(Message::Request { id, body }) => self.answer_request(id, body).await?,
                Some(Message::Response { id: answered, mut body }) => {
                    if answered != id {
                        return Err(format!("the server answered {answered}, which is no open request"));
                    }
                    return match body.get_mut("result") {
                        Some(result) => Ok(Ok(result.take())),
                        None => serde_json::from_value(body["error"].take()).map(Err).map_err(|error| {
                            format!("the response has no result and no error that can be read: {error}")
                        }),
                    };
                }
            }
        }
    }

    /// Before 2026-07-28 the server asks by requests of its own.
    async fn answer_request(&mut self, id: Value, request: Value) -> Result<(), Misfit> {
        if self.settings.revision.is_modern() {
            return Err(format!("the server sent a request, which {} forbids", self.settings.revision));
        }
        if request["method"] == "ping" {
            return Ok(self.connection.respond(&id, ("result", json!({})), &self.limit).await?);
        }
        let key = self.connection.key(&id).unwrap_or_else(|| id.to_string());
        let (answer, after) = self.answer(Question::new(key, request))?;
        self.limit.extend(after);
        self.due.push(Due { at: Instant::now() + after, id, answer });
        self.give_what_is_due().await
    }

    async fn give_what_is_due(&mut self) -> Result<(), Misfit> {
        let now = Instant::now();
        for due in self.due.extract_if(.., |due| due.at <= now) {
            self.connection.respond(&due.id, due.answer, &self.limit).await?;
        }
        Ok(())
    }

    /// The script's answer to a question, and how long it takes.
    fn answer(&mut self, question: Question) -> Result<((&'static str, Value), Duration), Misfit> {
        let Some(Step { reply, at }) = self.script.take(&question) else {
            let advice = question.possible_answers();
            return Err(format!("the question {question} has no answer in the script; add {advice}"));
        };
        let answer = reply
            .to(&question)
            .map_err(|reason| format!("{reply} ({at}) does not answer the question {question}, which {reason}"))?;
        self.asked.push(question);
        Ok((answer, reply.delay()))
    }

    /// Takes a notification in.
    fn note(&mut self, method: &str, params: Value) {
        match method {
            "notifications/message" => self.logs.extend(serde_json::from_value::<Log>(params).ok()),
            "notifications/progress" => self.progress.extend(serde_json::from_value::<Report>(params).ok()),
            "notifications/cancelled" => self.due.retain(|due| due.id != params["requestId"]),
            _ => {}
        }
    }
}
