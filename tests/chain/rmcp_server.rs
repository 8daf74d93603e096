//! The server of `tests/clients/typescript/chain/server.mjs`, with `rmcp`: `chain_rmcp ERA NAME FILE`.
#![allow(deprecated, reason = "sessions have messages, samplings and subscriptions of their own")]

use std::{borrow::Cow, env, error::Error, fs::File, io::Write, time::Duration};

use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, CompletionInfo,
        ContentBlock, GetPromptRequestParams, GetPromptResponse, InputRequiredResult, ListPromptsResult,
        ListResourcesResult, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam, PaginatedRequestParams,
        ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
        ResourceUpdatedNotificationParam, ServerCapabilities, ServerConfig, SetLevelRequestParams,
        SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
    transport::stdio_pipes,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;

struct Chain {
    is_modern: bool,
    name: String,
    file: String,
    uri: String,
    kept: watch::Sender<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [era, name, file] = env::args().skip(1).collect::<Vec<_>>().try_into().expect("ERA NAME FILE");
    let uri = format!("chain://{name}/note");
    let server = Chain { is_modern: era == "modern", name, file, uri, kept: watch::Sender::new("first".to_owned()) };
    server.serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}

impl ServerHandler for Chain {
    fn get_info(&self) -> ServerConfig {
        let can =
            ServerCapabilities::builder().enable_logging().enable_completions().enable_prompts().enable_resources();
        ServerConfig::new(can.enable_resources_subscribe().enable_tools().build())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        if self.is_modern {
            return Cow::Borrowed(&[ProtocolVersion::V_2026_07_28]);
        }
        Cow::Owned(ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25).to_vec())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &str, about: &str, properties: Value| json!({ "name": name, "description": about, "inputSchema": { "type": "object", "properties": properties } });
        let text = json!({ "type": "string" });
        read(json!({ "tools": [
            tool("order", "Orders.", json!({})),
            tool("consult", "Asks a model.", json!({ "topic": text, "tools": { "type": "boolean" } })),
            tool("work", "Works.", json!({})),
            tool("slow", "Waits.", json!({})),
            tool("change", "Changes the note.", json!({ "words": text })),
            tool("process_id", "Tells the process.", json!({})),
        ] }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default());
        let words = match &*request.name {
            "order" => {
                let Some(answer) = self.ask(form(), "elicitation/create", &request, &context.peer).await? else {
                    return asked("elicitation/create", form());
                };
                self.ordered(&answer)
            }
            "consult" => {
                let question = prompt(&arguments);
                let Some(reply) = self.ask(question.clone(), "sampling/createMessage", &request, &context.peer).await?
                else {
                    return asked("sampling/createMessage", question);
                };
                replied(&reply)
            }
            "work" => work(&context).await?,
            "slow" => {
                self.note(&format!("slow began in {}", std::process::id()));
                context.ct.cancelled().await;
                self.note("slow cancelled");
                "not cancelled".to_owned()
            }
            "change" => {
                self.kept.send_replace(arguments["words"].as_str().unwrap_or_default().to_owned());
                if !self.is_modern {
                    let changed = ResourceUpdatedNotificationParam::new(&self.uri);
                    context.peer.notify_resource_updated(changed).await.map_err(broken)?;
                }
                "changed".to_owned()
            }
            "process_id" => std::process::id().to_string(),
            other => return Err(ErrorData::invalid_params(format!("Unknown tool: {other}"), None)),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(words)]).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        read(json!({ "resources": [{ "uri": self.uri, "name": "note" }] }))
    }

    async fn read_resource(
        &self,
        _: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = self.kept.borrow().clone();
        let contents = json!([{ "uri": self.uri, "mimeType": "text/plain", "text": text }]);
        Ok(ReadResourceResponse::Complete(read(json!({ "contents": contents }))?))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut kept = self.kept.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                _ = kept.changed() => {
                    // Not everybody subscribes to this resource.
                    let _ = context.sink().notify_resource_updated(&self.uri).await;
                }
            }
        }
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        read(json!({ "prompts": [{ "name": "greet", "arguments": [{ "name": "who", "required": true }] }] }))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let who = request.arguments.unwrap_or_default()["who"].as_str().unwrap_or_default().to_owned();
        let content = json!({ "type": "text", "text": format!("Greet {who}.") });
        Ok(GetPromptResponse::Complete(read(json!({ "messages": [{ "role": "user", "content": content }] }))?))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let fit = ["ada", "alan", "bob"].iter().filter(|name| name.starts_with(&request.argument.value));
        let values = CompletionInfo::new(fit.map(|name| (*name).to_owned()).collect());
        values.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
    }
}

impl Chain {
    fn note(&self, words: &str) {
        let mut file = File::options().append(true).create(true).open(&self.file).expect("the file can be written");
        writeln!(file, "{}: {words}", self.name).expect("the file can be written");
    }

    /// Returns the answer, once it is there.
    async fn ask(
        &self,
        question: Value,
        method: &str,
        request: &CallToolRequestParams,
        peer: &Peer<RoleServer>,
    ) -> Result<Option<Value>, ErrorData> {
        if self.is_modern {
            return Ok(request.input_responses.as_ref().and_then(|answers| answers.get("answer")).cloned());
        }
        let answer = if method == "elicitation/create" {
            serde_json::to_value(peer.create_elicitation(read(question)?).await.map_err(broken)?)
        } else {
            serde_json::to_value(peer.create_message(read(question)?).await.map_err(broken)?)
        };
        answer.map(Some).map_err(broken)
    }

    fn ordered(&self, answer: &Value) -> String {
        if answer["action"] != "accept" {
            return "nothing ordered".to_owned();
        }
        let words = format!("ordered {}", answer["content"]["amount"]);
        self.note(&words);
        words
    }
}

fn form() -> Value {
    let properties = json!({ "amount": { "type": "integer", "minimum": 1 } });
    let schema = json!({ "type": "object", "properties": properties, "required": ["amount"] });
    json!({ "mode": "form", "message": "How many?", "requestedSchema": schema })
}

fn prompt(arguments: &Value) -> Value {
    let content = json!({ "type": "text", "text": arguments["topic"] });
    let mut prompt = json!({ "messages": [{ "role": "user", "content": content }], "maxTokens": 50 });
    if arguments["tools"] == true {
        let schema = json!({ "type": "object", "properties": { "word": { "type": "string" } } });
        prompt["tools"] = json!([{ "name": "look_up", "description": "Looks a word up.", "inputSchema": schema }]);
        prompt["toolChoice"] = json!({ "mode": "auto" });
    }
    prompt
}

fn replied(reply: &Value) -> String {
    let block = reply["content"].get(0).unwrap_or(&reply["content"]);
    match block["text"].as_str() {
        Some(text) => format!("said {text}"),
        None => format!("wants {} {}", block["name"].as_str().unwrap_or_default(), block["input"]),
    }
}

/// Three reports and three messages.
async fn work(context: &RequestContext<RoleServer>) -> Result<String, ErrorData> {
    for step in 1..=3 {
        let words = format!("step {step}");
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, f64::from(step)).with_total(3.0).with_message(&words);
            context.peer.notify_progress(progress).await.map_err(broken)?;
        }
        let is_wanted =
            context.protocol_version() != Some(ProtocolVersion::V_2026_07_28) || context.meta.log_level().is_some();
        if is_wanted {
            let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, Value::String(words));
            context.peer.notify_logging_message(message).await.map_err(broken)?;
        }
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    Ok("worked".to_owned())
}

fn asked(method: &str, params: Value) -> Result<CallToolResponse, ErrorData> {
    let questions = read(json!({ "answer": { "method": method, "params": params } }))?;
    Ok(InputRequiredResult::new(Some(questions), Some("asked".to_owned())).into())
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(broken)
}

fn broken(error: impl ToString) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
