//! The published definition of a prompt.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    engine::{
        call::operation::Operation,
        tool::{ToolDefinition, definition::item_settings},
    },
    serve::complete::TextArgument,
    wire::protocol::{icon::Icon, revision::Revision},
};

/// The data that a server publishes about a prompt, and the settings of its calls.
///
/// `#[mcp_prompt]` generates the definition. For a prompt created at run time, build the definition by hand:
///
/// ```
/// use mcp_runtime::{PromptDefinition, TextArgument};
///
/// let definition = PromptDefinition::new("announce", "Announces a release.")
///     .title("Announce a release")
///     .argument(TextArgument::required("version"))
///     .argument(TextArgument::optional("tone").description("How it should sound."));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct PromptDefinition {
    /// The settings that prompts share with tools.
    pub(super) call: ToolDefinition,
    pub(super) arguments: Vec<TextArgument>,
}

impl PromptDefinition {
    item_settings!("prompt", call);

    /// Creates the definition of a prompt without arguments.
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> Self {
        let mut call = ToolDefinition::new(name, description);
        call.operation = Operation::GetPrompt;
        Self { call, arguments: Vec::new() }
    }

    /// Adds an argument. Clients show the arguments in the order in which they were added.
    pub fn argument(mut self, argument: TextArgument) -> Self {
        self.call.states.extend(argument.needs());
        self.arguments.push(argument);
        self
    }

    /// Changes the settings that prompts share with tools.
    #[doc(hidden)]
    pub fn with(mut self, change: impl FnOnce(ToolDefinition) -> ToolDefinition) -> Self {
        self.call = change(self.call);
        self
    }
}

/// The `Prompt` object of the protocol, for the result of `prompts/list`.
#[derive(Serialize)]
pub(super) struct ListedPrompt<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<ListedArgument<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

#[derive(Serialize)]
struct ListedArgument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    required: bool,
}

impl<'a> ListedPrompt<'a> {
    pub(super) fn new(definition: &'a ToolDefinition, arguments: &'a [TextArgument], revision: Revision) -> Self {
        // `title` and `_meta` came with structured content.
        let is_carried = revision.has_structured_content();
        let argument = |argument: &'a TextArgument| ListedArgument {
            name: &argument.name,
            title: argument.title.as_deref().filter(|_| is_carried),
            description: argument.description.as_deref(),
            required: argument.kind.is_required,
        };
        Self {
            name: &definition.name,
            title: definition.title.as_deref().filter(|_| is_carried),
            description: &definition.description,
            arguments: arguments.iter().map(argument).collect(),
            icons: if revision.has_icons() { &definition.icons } else { &[] },
            meta: definition.meta.as_ref().filter(|_| is_carried),
        }
    }
}
