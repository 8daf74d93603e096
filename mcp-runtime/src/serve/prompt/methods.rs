//! `prompts/list` and `prompts/get`.

use serde_json::{Map, Value, json};

use super::{Prompt, definition::ListedPrompt};
#[cfg(feature = "http")]
use crate::wire::protocol::headers;
use crate::{
    Server,
    engine::{
        call::{
            Call, CallState,
            observer::{Observer as _, observer},
            operation::Operation,
            request::Caller,
            running::Calling,
        },
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool, registry::Registry},
    },
    serve::{
        complete::{Completable, CompletionRef, Completions, TextArgument, TextArguments},
        server::{
            calling,
            listing::{PagedList, Pages},
            pending_call::RequestReply,
            request::RequestContext,
            subscriptions::Changing,
            surface::{MethodSet, Surface},
        },
    },
    wire::protocol::{error::RpcError, frame::push_json, result::CallToolResult, revision::Revision},
};

impl Server {
    /// Adds a list of prompts, such as `prompts![review, docs::summary]`.
    pub fn prompts(self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) -> Self {
        prompts.into_iter().fold(self, Self::add_prompt)
    }

    /// Adds a prompt.
    pub fn prompt(self, prompt: impl Prompt) -> Self {
        self.add_prompt(Box::new(prompt))
    }

    fn add_prompt(mut self, prompt: Box<dyn Prompt>) -> Self {
        let prompt = PromptTool::new(prompt);
        if prompt.arguments.iter().any(TextArgument::can_complete) {
            self.surface::<Completions>().add(find_arguments);
        }
        self.surface::<Prompts>().0.push(prompt);
        self
    }
}

/// Adds the protocol methods for prompts and completions to the server, even if the server has no prompts yet.
pub(super) fn begin_without_prompts(server: &mut Server) {
    server.surface::<Prompts>();
    server.surface::<Completions>().add(find_arguments);
}

/// The prompts that the author added.
#[derive(Default)]
struct Prompts(Vec<PromptTool>);

/// A prompt, which runs like a tool.
pub(super) struct PromptTool {
    prompt: Box<dyn Prompt>,
    definition: ToolDefinition,
    arguments: Vec<TextArgument>,
}

impl PromptTool {
    pub(super) fn new(prompt: Box<dyn Prompt>) -> Self {
        let definition = prompt.definition();
        Self { prompt, definition: definition.call, arguments: definition.arguments }
    }
}

impl Tool for PromptTool {
    fn definition(&self) -> ToolDefinition {
        self.definition.clone()
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        let read = TextArguments::read(arguments.as_str()).and_then(|arguments| self.prompt.get(call, arguments));
        let getting = read.map_err(|reason| {
            ArgumentsError::new(format!("invalid arguments for the prompt `{}`:\n{reason}", self.definition.name))
        })?;
        let description = self.definition.description.clone();
        Ok(Box::pin(async move { Ok(CallToolResult::other(getting.await?.described(&description))) }))
    }
}

impl Surface for Prompts {
    fn take_items(&mut self) -> Vec<Box<dyn Tool>> {
        self.0.drain(..).map(|prompt| Box::new(prompt) as Box<dyn Tool>).collect()
    }

    fn complete(self: Box<Self>, registry: &Registry, problems: &mut Vec<String>) -> Box<dyn MethodSet> {
        registry.others(Operation::GetPrompt).for_each(|prompt| check(prompt, problems));
        Box::new(PromptMethods(Pages::default()))
    }
}

/// Checks the parts of a prompt that the registry does not check.
pub(super) fn check(prompt: &RegisteredTool, problems: &mut Vec<String>) {
    let name = &prompt.definition.name;
    if name.trim().is_empty() {
        problems.push("a prompt has an empty name".to_owned());
    }
    if prompt.definition.description.trim().is_empty() {
        problems.push(format!(
            "prompt `{name}`: it has no description, and users choose prompts by their descriptions; pass one to \
             `PromptDefinition::new`"
        ));
    }
    let arguments = arguments(prompt);
    for (index, argument) in arguments.iter().enumerate() {
        if arguments[..index].iter().any(|earlier| earlier.name == argument.name) {
            problems.push(format!("prompt `{name}`: two arguments are named `{}`; rename one", argument.name));
        }
    }
}

/// Returns the `Prompt` object of a registered prompt.
fn listed(prompt: &RegisteredTool, revision: Revision) -> ListedPrompt<'_> {
    ListedPrompt::new(&prompt.definition, arguments(prompt), revision)
}

/// Returns the arguments of a registered prompt.
pub(crate) fn arguments(prompt: &RegisteredTool) -> &[TextArgument] {
    let tool: &dyn std::any::Any = prompt.item();
    tool.downcast_ref::<PromptTool>().map_or(&[], |prompt| &prompt.arguments)
}

/// Returns the arguments of the prompt that a completion request names.
fn find_arguments(registry: &Registry, call: &CallState, of: &CompletionRef) -> Option<Completable> {
    let CompletionRef::Prompt { name } = of else { return None };
    let prompt = registry.find_other(Operation::GetPrompt, name)?;
    Some(prompt.check_granted_to(call).map(|()| arguments(prompt).to_vec()))
}

/// The methods of prompts, with the cached pages of `prompts/list`.
struct PromptMethods(Pages);

impl PromptMethods {
    /// Answers `prompts/list`.
    fn list<'a>(&self, context: RequestContext<'a>, caller: &Caller) -> Result<RequestReply<'a>, RpcError> {
        let registry = context.server.registry.read();
        let list = PagedList {
            member: "prompts",
            changing: Changing::Prompts,
            items: registry.list(Operation::GetPrompt),
            push: |prompt, revision, out| push_json(out, &listed(prompt, revision)),
        };
        self.0.answer(context, caller.client(), &list)
    }

    /// Answers `prompts/get`.
    fn get<'a>(context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let name = context.params.name()?;
        #[cfg(feature = "http")]
        context.modern_headers().map_or(Ok(()), |headers| headers::check_name(headers, &name))?;
        let prompt = context.server.registry.find_other(Operation::GetPrompt, &name);
        let prompt = prompt.ok_or_else(|| RpcError::unknown_prompt(&name))?;
        observer().tool(&name);
        calling::call_other(context, caller, &prompt, context.params.arguments()?)
    }
}

impl MethodSet for PromptMethods {
    fn methods(&self) -> &'static [&'static str] {
        &["prompts/list", "prompts/get"]
    }

    fn declare(&self, _: Revision, capabilities: &mut Map<String, Value>) {
        capabilities.insert("prompts".into(), json!({}));
    }

    fn answer<'a>(&self, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        match context.method {
            "prompts/list" => self.list(context, &caller),
            _ => Self::get(context, caller),
        }
    }

    fn manifest(&self, registry: &Registry) -> Vec<(&'static str, Value)> {
        let listed = registry.others(Operation::GetPrompt).map(|prompt| {
            let mut object = json!(listed(prompt, Revision::LATEST));
            if !prompt.requires.is_empty() {
                object["requires"] = prompt.requires.to_json();
            }
            object
        });
        vec![("prompts", listed.collect())]
    }
}
