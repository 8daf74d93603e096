//! `completion/complete`.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Completion, CompletionRequest, TextArgument};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{Call, operation::Operation, request::Caller, running::CallFuture},
        elicit::ChoiceEntry,
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool},
    },
    serve::server::{Extension, Inner, RequestContext, calling, pending_call::RequestReply},
    wire::protocol::{
        error::{CallRefusal, RpcError},
        result::{CallToolResult, OtherResult, push_other_result},
        revision::Revision,
        scan::{members, read_string},
        text::{push_json, push_json_string, shortened},
    },
};

const METHOD: &str = "completion/complete";

/// The method, and the kinds of items whose arguments clients can complete.
pub(crate) struct Completions {
    tool: Arc<RegisteredTool>,
    find: Mutex<Vec<FindCompletable>>,
}

/// Finds an item of the server. Returns `None` if the server does not have the item, or if this function is for items of
/// another kind.
pub(crate) type FindCompletable = fn(&Inner, &CompletionRef) -> Option<Completable>;

/// An item, and the function that returns its arguments.
pub(crate) struct Completable {
    pub(crate) item: Arc<RegisteredTool>,
    pub(crate) arguments: fn(&RegisteredTool) -> &[TextArgument],
}

/// The item whose argument is completed.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", expecting = "a reference, such as `{\"type\":\"ref/prompt\",\"name\":\"…\"}`")]
pub(crate) enum CompletionRef {
    #[serde(rename = "ref/prompt")]
    Prompt { name: String },
    /// A template of resources.
    #[serde(rename = "ref/resource")]
    Resource { uri: String },
}

impl Default for Completions {
    fn default() -> Self {
        Self { tool: RegisteredTool::of_method(CompleteTool), find: Mutex::default() }
    }
}

impl Completions {
    /// Adds a kind of items. All calls for the same kind must pass the same function, so that the kind is added once.
    pub(crate) fn add(&self, find: FindCompletable) {
        let mut all = self.find.lock();
        if !all.iter().any(|known| std::ptr::fn_addr_eq(*known, find)) {
            all.push(find);
        }
    }
}

/// Answers `completion/complete`. It runs like a tool.
struct CompleteTool;

/// The params of the request.
#[derive(Debug, Deserialize)]
struct CompleteParams {
    r#ref: CompletionRef,
    argument: TypedArgument,
    context: Option<CompletionContext>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object with `name` and `value`")]
struct TypedArgument {
    name: String,
    value: String,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
struct CompletionContext {
    arguments: Option<HashMap<String, String>>,
}

impl CompleteParams {
    /// Reads params as most clients send them. Returns `None` for other params, and for invalid ones.
    fn usual(params: &str) -> Option<Self> {
        let [reference, argument, context] = members(params, ["ref", "argument", "context"])?;
        let [kind, item, uri] = members(reference?, ["type", "name", "uri"])?;
        let [name, value] = members(argument?, ["name", "value"])?;
        let text = |json: Option<&str>| read_string(json?).map(Cow::into_owned);
        let r#ref = match kind? {
            r#""ref/prompt""# => CompletionRef::Prompt { name: text(item)? },
            r#""ref/resource""# => CompletionRef::Resource { uri: text(uri)? },
            _ => return None,
        };
        let context = context.map(serde_json::from_str).transpose().ok()?;
        Some(Self { r#ref, argument: TypedArgument { name: text(name)?, value: text(value)? }, context })
    }
}

impl Tool for CompleteTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::of_method(Operation::Complete)
    }

    fn call(&self, call: Call, params: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        // The deserializer names what is wrong.
        let params = CompleteParams::usual(params.as_str()).map_or_else(|| params.read(), Ok)?;
        let (unknown, noun, name, part) = match &params.r#ref {
            CompletionRef::Prompt { name } => ("Unknown prompt", "prompt", name, "argument"),
            CompletionRef::Resource { uri } => ("Unknown resource template", "template", uri, "variable"),
        };
        let server: &Inner = call.0.server.get().expect("the host of a call is the server");
        let kinds = server.extensions.get().map(|completions: Arc<Completions>| completions.find.lock().clone());
        let found = kinds.iter().flatten().find_map(|find| find(server, &params.r#ref));
        let Completable { item, arguments } =
            found.ok_or_else(|| ArgumentsError::new(format!("{unknown}: {}", shortened(name))))?;
        if let Err(denied) = item.check_granted_to(&call.0) {
            return Ok(Box::pin(async move { Err(CallRefusal(denied).into()) }));
        }
        let wanted = &params.argument.name;
        let argument = arguments(&item).iter().find(|argument| argument.name == *wanted).ok_or_else(|| {
            let wanted = shortened(wanted);
            ArgumentsError::new(format!("the {noun} `{name}` has no {part} `{wanted}`"))
        })?;
        let typed = params.argument.value;
        let Some(completer) = &argument.completer else {
            let completion = Completion::of_matching(argument.kind.choices.iter().map(ChoiceEntry::name), &typed);
            return Ok(Box::pin(async move { Ok(CallToolResult::other(completion)) }));
        };
        let others = params.context.and_then(|context| context.arguments).unwrap_or_default();
        let request = CompletionRequest { value: typed, arguments: others.into_iter().collect(), call };
        let completing = (completer.run)(request);
        Ok(Box::pin(async move { Ok(CallToolResult::other(completing.await?)) }))
    }
}

impl OtherResult for Completion {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        // The quotes and the comma of each value, and the fixed text.
        let length = self.values.iter().map(|value| value.len() + 3).sum::<usize>() + 192 + server_info.len();
        out.reserve(length);
        push_other_result(out, None, revision, server_info, |out| {
            out.extend_from_slice(br#""completion":{"values":["#);
            for (index, value) in self.values.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                push_json_string(out, value);
            }
            out.push(b']');
            if let Some(total) = self.total {
                let has_more = self.values.len() < total;
                out.extend_from_slice(br#","total":"#);
                push_json(out, &total);
                out.extend_from_slice(if has_more { br#","hasMore":true"# } else { br#","hasMore":false"# });
            }
            out.push(b'}');
        });
    }
}

impl Extension for Completions {
    fn methods(&self) -> &'static [&'static str] {
        &[METHOD]
    }

    fn declare(&self, _: RequestContext<'_>, revision: Revision, capabilities: &mut Map<String, Value>) {
        // 2024-11-05 has the method, but no capability for it.
        if revision.has_completions_capability() {
            capabilities.insert("completions".into(), json!({}));
        }
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let params = if context.params.text.is_empty() { "{}" } else { context.params.text };
        calling::call_item(context, caller, &self.tool, params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the params as `usual` reads them, and as the deserializer does.
    fn both(params: &str) -> [Option<String>; 2] {
        let read = serde_json::from_str(params).ok();
        [CompleteParams::usual(params), read].map(|params: Option<CompleteParams>| Some(format!("{:?}", params?)))
    }

    #[test]
    fn reads_usual_params_as_the_deserializer_does() {
        let prompt = r#"{"type":"ref/prompt","name":"p\u00e9","title":"P"}"#;
        let template = r#"{ "uri": "test://{a}", "type": "ref/resource" }"#;
        let argument = r#"{"name":"a\n","value":"\"x\"","more":[1]}"#;
        for rest in ["", r#","_meta":{"a":[{}]}"#, r#","context":{"arguments":{"b":"1"}}"#, r#","context":{}"#] {
            for of in [prompt, template] {
                let [usual, read] = both(&format!(r#"{{"ref":{of},"argument":{argument}{rest}}}"#));
                assert!(usual.is_some());
                assert_eq!(usual, read);
            }
        }
    }

    #[test]
    fn leaves_invalid_params_to_the_deserializer() {
        let (of, argument) = (r#"{"type":"ref/prompt","name":"p"}"#, r#"{"name":"a","value":""}"#);
        for params in [
            format!(r#"{{"ref":{of}}}"#),
            format!(r#"{{"argument":{argument}}}"#),
            format!(r#"{{"ref":{of},"argument":{argument},"argument":{argument}}}"#),
            format!(r#"{{"ref":{of},"argument":{{"name":"a","name":"a","value":""}}}}"#),
            format!(r#"{{"ref":{of},"argument":{{"name":"a","value":"\ud800"}}}}"#),
            format!(r#"{{"ref":{of},"argument":{{"name":"a","value":1}}}}"#),
            format!(r#"{{"ref":{of},"argument":{argument},"context":{{"arguments":{{"b":1}}}}}}"#),
            format!(r#"{{"ref":{{"type":"ref/other","name":"p"}},"argument":{argument}}}"#),
            format!(r#"{{"ref":{{"type":"ref/resource","name":"p"}},"argument":{argument}}}"#),
            format!(r#"{{"ref":"p","argument":{argument}}}"#),
            "[]".to_owned(),
        ] {
            assert_eq!(both(&params), [None, None], "{params}");
        }
    }
}
