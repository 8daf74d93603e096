//! The list of a running service's prompts.

use std::fmt;

use super::{
    Prompt,
    methods::{self, PromptTool},
};
use crate::{
    BuildError, Server, Service,
    call::operation::Operation,
    complete::set_completions,
    server::{
        list_change::{ItemChange, ServiceRef},
        subscriptions::{Changing, topic::Topic},
    },
    tool::Tool,
};

/// The list of a service's prompts, which can change while the service runs. Get it with [`Service::prompts`]. It works
/// like a [`ToolList`](crate::ToolList).
#[derive(Clone)]
pub struct PromptList(ServiceRef);

impl Server {
    /// Lets the prompts change while the server runs, even if it begins without prompts. A tool then gets the list by
    /// reference, as `prompts: &PromptList`; other code gets it with [`Service::prompts`].
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
    pub fn dynamic_prompts(mut self) -> Self {
        methods::begin_without_prompts(&mut self);
        let service = self.allow_changes(Changing::Prompts);
        self.replace_state(PromptList(service));
        self
    }
}

impl Service {
    /// Returns the list of the prompts, to change it. A service without prompts must be built with
    /// [`Server::dynamic_prompts`].
    pub fn prompts(&self) -> PromptList {
        PromptList(self.allow_changes(Changing::Prompts))
    }
}

impl PromptList {
    /// Adds a prompt at the end of the list.
    ///
    /// # Errors
    /// If another prompt has the same name, or if [`Server::build`] would reject the prompt. The error names the prompt.
    pub fn add(&self, prompt: impl Prompt) -> Result<(), BuildError> {
        self.add_all([Box::new(prompt) as Box<dyn Prompt>])
    }

    /// Adds a list of prompts, such as `prompts![review]`, at once.
    ///
    /// # Errors
    /// Returns the problems of all prompts; see [`add`](Self::add). Then the list does not change.
    pub fn add_all(&self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) -> Result<(), BuildError> {
        self.change(prompts, ItemChange::Add).map(drop)
    }

    /// Puts a prompt in the place of the one with the same name. If there is none, adds the prompt at the end. Returns
    /// whether a prompt was replaced.
    ///
    /// # Errors
    /// If [`Server::build`] would reject the prompt. The error names the prompt, and the list does not change.
    pub fn replace(&self, prompt: impl Prompt) -> Result<bool, BuildError> {
        self.change([Box::new(prompt) as Box<dyn Prompt>], ItemChange::Replace)
    }

    /// Removes the prompt with this name. Returns whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.apply(vec![ItemChange::Remove(name.to_owned())]).unwrap_or(false)
    }

    /// Tells the clients that the list has changed. All other methods do so themselves.
    pub fn notify(&self) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Prompts);
        }
    }

    fn change(
        &self,
        prompts: impl IntoIterator<Item = Box<dyn Prompt>>,
        change: fn(Box<dyn Tool>) -> ItemChange,
    ) -> Result<bool, BuildError> {
        let prompts: Vec<_> = prompts.into_iter().map(PromptTool::new).collect();
        let completions: Vec<_> =
            prompts.iter().map(|prompt| (prompt.completion_ref(), prompt.arguments().to_vec())).collect();
        let changes = prompts.into_iter().map(|prompt| change(Box::new(prompt))).collect();
        let was_there = self.apply(changes)?;
        if let Some(service) = self.0.get() {
            let registry = service.registry.read();
            completions.into_iter().for_each(|(of, arguments)| set_completions(&registry, of, arguments));
        }
        Ok(was_there)
    }

    fn apply(&self, changes: Vec<ItemChange>) -> Result<bool, BuildError> {
        self.0.require("prompts/get", Operation::GetPrompt, "Server::dynamic_prompts")?;
        self.0.apply(Operation::GetPrompt, changes, methods::check)
    }
}

impl fmt::Debug for PromptList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptList").finish_non_exhaustive()
    }
}
