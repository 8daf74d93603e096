//! A prompt, and its published definition.

use std::{any::Any, borrow::Cow, pin::Pin};

use super::GetPromptResult;
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation},
        tool::{ArgumentsError, ToolDefinition, definition::item_settings},
    },
    serve::{
        complete::{TextArgument, TextArguments},
        server::{ListChanges, ServiceList},
    },
};

/// A prompt of a server. `#[mcp_prompt]` generates the implementation; implement it by hand for prompts that are known
/// only at run time:
///
/// ```
/// use mcp_runtime::{
///     Call, Server,
///     complete::{TextArgument, TextArguments},
///     prompt::{GetPromptFuture, GetPromptResult, Prompt, PromptDefinition, PromptMessage},
///     tool::ArgumentsError,
/// };
///
/// /// A prompt from a configuration file, in which `{topic}` is replaced.
/// struct Template {
///     name: String,
///     text: String,
/// }
///
/// impl Prompt for Template {
///     fn definition(&self) -> PromptDefinition {
///         PromptDefinition::new(self.name.clone(), "A prompt of this team.")
///             .argument(TextArgument::required("topic").description("What to write about."))
///     }
///
///     fn get(&self, _: Call, arguments: TextArguments<'_>) -> Result<GetPromptFuture, ArgumentsError> {
///         let topic = arguments.get("topic").ok_or_else(|| ArgumentsError::new("`topic` is missing"))?;
///         let text = self.text.replace("{topic}", topic);
///         Ok(Box::pin(async move { Ok(GetPromptResult::new([PromptMessage::user(text)])) }))
///     }
/// }
///
/// let template = Template { name: "announce".to_owned(), text: "Announce {topic} to our users.".to_owned() };
/// let server = Server::new("team", "1.0.0").prompt(template);
/// # server.build().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prompt",
    label = "not a prompt",
    note = "put `#[mcp_prompt]` above the `async fn` and name it in `prompts![…]`"
)]
pub trait Prompt: Any + Send + Sync {
    /// Returns the prompt's definition. [`Server::build`](crate::Server::build) calls this method.
    fn definition(&self) -> PromptDefinition;

    /// Begins `prompts/get`: reads the arguments and returns the future of the result.
    ///
    /// # Errors
    /// Fails if an argument is invalid. The client gets the text of the error.
    fn get(&self, call: Call, arguments: TextArguments<'_>) -> Result<GetPromptFuture, ArgumentsError>;
}

/// The future of one `prompts/get`.
pub type GetPromptFuture = Pin<Box<dyn Future<Output = Result<GetPromptResult, ToolError>> + Send>>;

/// The list of a service's prompts; see [`Service::prompts`](crate::Service::prompts).
pub type PromptList = ServiceList<dyn Prompt>;

/// Several changes of a [`PromptList`], which become visible at once.
pub type PromptChanges = ListChanges<dyn Prompt>;

/// The data that a server publishes about a prompt, and the settings of its calls.
///
/// `#[mcp_prompt]` generates the definition. For a prompt created at run time, build the definition by hand:
///
/// ```
/// use mcp_runtime::{complete::TextArgument, prompt::PromptDefinition};
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
    #[track_caller]
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
}
