//! `prompts/list` and `prompts/get`.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Prompt, PromptDefinition, PromptList};
use crate::{
    Server, Service,
    engine::{
        call::{
            Call,
            observer::{Observer as _, observer},
            operation::Operation,
            request::Caller,
            running::CallFuture,
        },
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition, registered::RegisteredTool, registry::Registry},
    },
    serve::{
        complete::{Completable, CompletionRef, Completions, TextArgument, TextArguments},
        server::{
            BuiltParts, Extension, Inner, IntoItem, ListKind, PageCache, RequestContext, ServiceItem, calling,
            listed::{Listed, ListedArgument},
            listing::PagedList,
            lists::change::ItemChecks,
            manifest,
            pending_call::RequestReply,
        },
    },
    wire::protocol::{error::RpcError, result::CallToolResult, revision::Revision},
};

impl Server {
    /// Adds a list of prompts, such as `prompts![review, docs::summary]`.
    pub fn prompts(self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) -> Self {
        self.add_items(prompts)
    }

    /// Adds a prompt.
    pub fn prompt(self, prompt: impl Prompt) -> Self {
        self.add_items([Box::new(prompt) as Box<dyn Prompt>])
    }

    /// Lets the prompts change while the server runs, even if it begins without prompts. A tool gets the list by
    /// reference, as the parameter `prompts: &PromptList`. Other code gets the list with [`Service::prompts`].
    ///
    /// ```
    /// use mcp_runtime::{Server, prelude::*};
    ///
    /// /// Asks for a review.
    /// #[mcp_prompt]
    /// async fn review() -> &'static str {
    ///     "Review this."
    /// }
    ///
    /// let service = Server::new("s", "1.0.0").dynamic_prompts().build().unwrap();
    /// service.prompts().add_all(prompts![review]).unwrap();
    /// assert!(service.prompts().remove("review"));
    /// ```
    ///
    /// Without this setting, the first call of [`Service::prompts`] has the same effect, but only for clients that
    /// connect after this call.
    pub fn dynamic_prompts(self) -> Self {
        self.dynamic::<dyn Prompt>()
    }
}

impl Service {
    /// Returns the list of the prompts, to change it; see [`Server::dynamic_prompts`].
    pub fn prompts(&self) -> PromptList {
        self.list()
    }
}

impl ServiceItem for dyn Prompt {
    const KIND: ListKind<Self> = ListKind {
        operation: Operation::GetPrompt,
        checks: ItemChecks { item: check, ..ItemChecks::NONE },
        begin: |extensions| {
            extensions.get_or_add(Prompts::default);
            extensions.get_or_add(Completions::default).add(find_prompt);
        },
        register: |prompt, extensions, _| {
            let prompt = PromptTool { definition: prompt.definition(), prompt };
            extensions.get_or_add(Prompts::default);
            if prompt.definition.arguments.iter().any(TextArgument::can_complete) {
                extensions.get_or_add(Completions::default).add(find_prompt);
            }
            Box::new(prompt)
        },
    };
}

#[diagnostic::do_not_recommend]
impl<T: Prompt> IntoItem<dyn Prompt, ()> for T {
    fn into_item(self) -> Box<dyn Prompt> {
        Box::new(self)
    }
}

/// The methods of prompts, with the cached pages of `prompts/list`.
#[derive(Default)]
struct Prompts(PageCache);

/// A prompt, which runs like a tool.
struct PromptTool {
    prompt: Box<dyn Prompt>,
    definition: PromptDefinition,
}

impl Tool for PromptTool {
    fn definition(&self) -> ToolDefinition {
        self.definition.call.clone()
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let read = TextArguments::read(arguments.as_str()).and_then(|arguments| self.prompt.get(call, arguments));
        let getting = read.map_err(|reason| {
            ArgumentsError::new(format!("invalid arguments for the prompt `{}`:\n{reason}", self.definition.name()))
        })?;
        let description = self.definition.call.description.clone();
        Ok(Box::pin(async move {
            let mut result = getting.await?;
            result.description.get_or_insert_with(|| description.into_owned());
            Ok(CallToolResult::other(result))
        }))
    }
}

/// Checks the parts of a prompt that the registry does not check.
fn check(prompt: &RegisteredTool, problems: &mut Vec<String>) {
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
fn listed<'a>(prompt: &'a RegisteredTool, revision: Revision) -> Listed<'a> {
    let argument = |argument: &'a TextArgument| ListedArgument {
        name: &argument.name,
        title: argument.title.as_deref().filter(|_| revision.has_structured_content()),
        description: argument.description.as_deref(),
        required: argument.kind.is_required,
    };
    let arguments = arguments(prompt).iter().map(argument).collect();
    Listed { arguments, ..Listed::of(&prompt.definition) }.known_in(revision)
}

/// Returns the arguments of a registered prompt.
pub(crate) fn arguments(prompt: &RegisteredTool) -> &[TextArgument] {
    let tool: &dyn std::any::Any = prompt.item();
    tool.downcast_ref::<PromptTool>().map_or(&[], |prompt| &prompt.definition.arguments)
}

/// Finds the prompt that a completion request names.
fn find_prompt(server: &Inner, of: &CompletionRef) -> Option<Completable> {
    let CompletionRef::Prompt { name } = of else { return None };
    let item = server.registry.find_other(Operation::GetPrompt, name)?;
    Some(Completable { item, arguments })
}

impl Prompts {
    /// Answers `prompts/list`.
    fn list<'a>(&self, context: RequestContext<'a>, caller: &Caller) -> Result<RequestReply<'a>, RpcError> {
        let registry = context.server.registry.read();
        let list = PagedList {
            member: "prompts",
            items: registry.list(Operation::GetPrompt),
            kind: Operation::GetPrompt,
            listed,
            cache: &self.0,
        };
        list.answer(context, caller.client())
    }

    /// Answers `prompts/get`.
    fn get<'a>(context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let name = context.params.name()?;
        context.check_name(&name)?;
        let prompt = context.server.registry.find_other(Operation::GetPrompt, &name);
        let prompt = prompt.ok_or_else(|| context.server.unknown("prompt", &name))?;
        observer().tool(&name);
        calling::call_item(context, caller, &prompt, context.params.arguments()?)
    }
}

impl Extension for Prompts {
    fn complete(&mut self, server: &BuiltParts<'_>, problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        <dyn Prompt>::KIND.checks.run(server.registry, Operation::GetPrompt, problems);
        None
    }

    fn methods(&self) -> &'static [&'static str] {
        &["prompts/list", "prompts/get"]
    }

    fn declare(&self, _: RequestContext<'_>, _: Revision, capabilities: &mut Map<String, Value>) {
        capabilities.entry("prompts").or_insert_with(|| json!({}));
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        match context.method {
            "prompts/list" => self.list(context, &caller),
            _ => Self::get(context, caller),
        }
    }

    fn manifest(&self, registry: &Registry) -> Vec<(&'static str, Value)> {
        vec![("prompts", manifest(registry.list(Operation::GetPrompt), listed))]
    }
}
