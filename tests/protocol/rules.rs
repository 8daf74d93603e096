//! The rules for messages of a server. Every message is checked against them and the official schema.

use std::collections::{HashMap, VecDeque};

use jsonschema::{Validator, draft202012};
use mcp_runtime::Revision;
use serde_json::Value;

use crate::protocol::schema;

/// The requests that are not answered yet.
pub(crate) struct Rules {
    /// The revision of the session, or of the requests if there is no session.
    pub(crate) revision: Revision,
    asked: HashMap<String, VecDeque<Asked>>,
    /// The latest progress of every token in use.
    progress: HashMap<String, f64>,
    /// The output schemas of the tools that were listed.
    outputs: HashMap<(Revision, String), Validator>,
}

struct Asked {
    method: String,
    revision: Revision,
    token: Option<String>,
    tool: Option<String>,
}

impl Rules {
    pub(crate) fn new(revision: Revision) -> Self {
        Self { revision, asked: HashMap::new(), progress: HashMap::new(), outputs: HashMap::new() }
    }

    /// Records a message of the client. The server answers with the id of a request only if the id is valid.
    pub(crate) fn sent(&mut self, message: &Value) {
        if let Value::Array(messages) = message {
            return messages.iter().filter(|message| !message.is_array()).for_each(|message| self.sent(message));
        }
        let has_id = message.get("id").is_some_and(|id| id.is_string() || id.is_i64() || id.is_u64());
        let outcomes: Vec<_> = ["result", "error"].iter().filter_map(|name| message.get(name)).collect();
        let is_response = outcomes.iter().filter(|outcome| !outcome.is_null()).count() < 2 && !outcomes.is_empty();
        if has_id && (message.get("method").is_some() || !is_response) {
            self.expect_answer(message);
        }
    }

    /// Records that the server will answer this message with its id.
    pub(crate) fn expect_answer(&mut self, message: &Value) {
        let id = message["id"].to_string();
        let meta = &message["params"]["_meta"];
        let token = meta.get("progressToken").map(Value::to_string);
        if let Some(token) = &token {
            self.progress.insert(token.clone(), f64::NEG_INFINITY);
        }
        let modern = meta.get("io.modelcontextprotocol/protocolVersion").is_some();
        self.asked.entry(id).or_default().push_back(Asked {
            method: message["method"].as_str().unwrap_or_default().to_owned(),
            revision: if modern { Revision::V2026_07_28 } else { self.revision },
            token,
            tool: message["params"]["name"].as_str().map(ToOwned::to_owned),
        });
    }

    /// Records that the client has cancelled this request. From then on, the server must send no message about it.
    pub(crate) fn cancelled(&mut self, id: &Value) {
        assert!(self.take(id).is_some(), "{id} is not in flight");
    }

    /// Parses and checks a message of the server.
    pub(crate) fn received(&mut self, text: &str) -> Value {
        assert!(!text.contains('\n'), "a message is one line: {text}");
        let message: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON: {text}: {error}"));
        match &message {
            Value::Array(responses) => {
                assert_eq!(self.revision, Revision::V2025_03_26, "only this revision has arrays");
                assert!(!responses.is_empty(), "an empty array is no message");
                responses.iter().for_each(|response| self.check_response(response));
            }
            message if message.get("method").is_some() => self.check_notification(message),
            response => self.check_response(response),
        }
        message
    }

    /// Checks that all requests have been answered.
    pub(crate) fn nothing_is_open(&self) {
        assert!(self.asked.is_empty(), "without an answer: {:?}", self.asked.keys());
    }

    fn take(&mut self, id: &Value) -> Option<Asked> {
        let id = id.to_string();
        let open = self.asked.get_mut(&id)?;
        let asked = open.pop_front();
        if open.is_empty() {
            self.asked.remove(&id);
        }
        if let Some(token) = asked.as_ref().and_then(|asked| asked.token.as_ref()) {
            self.progress.remove(token);
        }
        asked
    }

    fn check_notification(&mut self, message: &Value) {
        let schema = schema::of(self.revision);
        match message["method"].as_str().unwrap() {
            "notifications/message" => schema.check("LoggingMessageNotification", message),
            "notifications/progress" => {
                schema.check("ProgressNotification", message);
                let token = message["params"]["progressToken"].to_string();
                let last = self.progress.get_mut(&token).unwrap_or_else(|| panic!("no token in use: {message}"));
                let progress = message["params"]["progress"].as_f64().unwrap();
                assert!(*last < progress, "progress went from {last} to {progress}");
                *last = progress;
            }
            "notifications/tools/list_changed" => schema.check("ToolListChangedNotification", message),
            "notifications/prompts/list_changed" => schema.check("PromptListChangedNotification", message),
            "notifications/resources/list_changed" => schema.check("ResourceListChangedNotification", message),
            "notifications/resources/updated" => schema.check("ResourceUpdatedNotification", message),
            "notifications/subscriptions/acknowledged" => {
                schema.check("SubscriptionsAcknowledgedNotification", message);
            }
            other => panic!("a server of tools does not send `{other}`"),
        }
    }

    fn check_response(&mut self, response: &Value) {
        let Some(id) = response.get("id") else { return schema::of(self.revision).check_error(response) };
        let asked = self.take(id).unwrap_or_else(|| panic!("nobody asked, or it was answered before: {response}"));
        if let (true, Some(revision)) = (asked.method == "initialize", response["result"]["protocolVersion"].as_str()) {
            self.revision = Revision::parse(revision).expect("a revision of the protocol");
            return schema::of(self.revision).check_result("InitializeResult", response);
        }
        let schema = schema::of(asked.revision);
        if response.get("error").is_some() {
            return schema.check_error(response);
        }
        schema.check_result(kind_of_result(&asked.method), response);
        let result = &response["result"];
        if asked.revision.is_modern() {
            assert_eq!(result["resultType"], "complete");
            let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
            schema.check("Implementation", server);
        }
        match asked.method.as_str() {
            "tools/list" => self.check_tools(asked.revision, result),
            "tools/call" => self.check_output(asked.revision, asked.tool.unwrap_or_default(), result),
            _ => {}
        }
    }

    /// Checks that the schemas of tools are valid JSON Schemas, and keeps them to check later results.
    fn check_tools(&mut self, revision: Revision, list: &Value) {
        for tool in list["tools"].as_array().unwrap() {
            assert!(draft202012::meta::is_valid(&tool["inputSchema"]), "{tool}");
            if let Some(output) = tool.get("outputSchema") {
                let validator = draft202012::new(output).unwrap_or_else(|error| panic!("{error}: {tool}"));
                self.outputs.insert((revision, tool["name"].as_str().unwrap().to_owned()), validator);
            }
        }
    }

    fn check_output(&self, revision: Revision, tool: String, result: &Value) {
        if let Some(schema) = self.outputs.get(&(revision, tool)).filter(|_| result["isError"] != true) {
            let structured = result.get("structuredContent").expect("what `outputSchema` promises");
            schema.validate(structured).unwrap_or_else(|error| panic!("{error}: {structured}"));
        }
    }
}

fn kind_of_result(method: &str) -> &'static str {
    match method {
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "server/discover" => "DiscoverResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        other => panic!("`{other}` has no result"),
    }
}
