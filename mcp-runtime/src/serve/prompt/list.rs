//! The list of a running service's prompts.

use std::fmt;

use super::{
    Prompt,
    methods::{self, PromptTool},
};
use crate::{
    BuildError, Server, Service,
    engine::{call::operation::Operation, tool::Tool},
    serve::server::{
        list_change::{ItemChange, ItemChecks, ServiceRef},
        subscriptions::{Changing, topic::Topic},
    },
};

/// The list of a service's prompts, which can change while the service runs. Get it with [`Service::prompts`]. It works
/// like a [`ToolList`](crate::ToolList).
#[derive(Clone)]
pub struct PromptList(ServiceRef);

/// Several changes of a [`PromptList`], which clients see as one change.
#[derive(Default)]
pub struct PromptChanges(Vec<ItemChange>);

impl Server {
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
    /// Fails if another prompt has the same name, or if [`Server::build`] would reject the prompt. The error names the
    /// prompt.
    pub fn add(&self, prompt: impl Prompt) -> Result<(), BuildError> {
        self.edit(|prompts| prompts.add(prompt))
    }

    /// Adds a list of prompts, such as `prompts![review]`, in one change.
    ///
    /// # Errors
    /// If any prompt has a problem, returns the problems of all prompts, and the list stays as it was; see
    /// [`add`](Self::add).
    pub fn add_all(&self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) -> Result<(), BuildError> {
        self.edit(|changes| changes.add_all(prompts))
    }

    /// Replaces the prompt that has the same name as `prompt`. If there is none, adds `prompt` at the end of the list.
    /// Returns whether a prompt was replaced.
    ///
    /// # Errors
    /// Fails if [`Server::build`] would reject the prompt. The error names the prompt, and the list does not change.
    pub fn replace(&self, prompt: impl Prompt) -> Result<bool, BuildError> {
        self.apply(vec![ItemChange::Replace(item(Box::new(prompt)))])
    }

    /// Replaces several prompts in one change. Each prompt of a list, such as `prompts![review]`, replaces the prompt
    /// with the same name.
    ///
    /// # Errors
    /// If any prompt has a problem, returns the problems of all prompts, and the list stays as it was; see
    /// [`replace`](Self::replace).
    pub fn replace_all(&self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) -> Result<(), BuildError> {
        self.edit(|changes| changes.replace_all(prompts))
    }

    /// Removes the prompt with this name. Returns whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        self.apply(vec![ItemChange::Remove(name.to_owned())]).unwrap_or(false)
    }

    /// Makes several changes together: every client sees either none or all of them. The changes are made in order,
    /// after the function `changes` returns.
    ///
    /// # Errors
    /// If any change has a problem, returns the problems of all changes, and the list stays as it was.
    ///
    /// ```
    /// use mcp_runtime::{PromptChanges, Server, prelude::*};
    ///
    /// /// Asks for a review.
    /// #[mcp_prompt]
    /// async fn review() -> &'static str {
    ///     "Review this."
    /// }
    ///
    /// let service = Server::new("s", "1.0.0").dynamic_prompts().build().unwrap();
    /// let only_review = |prompts: &mut PromptChanges| {
    ///     prompts.remove("outdated");
    ///     prompts.add_all(prompts![review]);
    /// };
    /// service.prompts().edit(only_review).unwrap();
    /// assert_eq!(service.prompts().names(), ["review"]);
    /// ```
    pub fn edit(&self, changes: impl FnOnce(&mut PromptChanges)) -> Result<(), BuildError> {
        let mut made = PromptChanges::default();
        changes(&mut made);
        self.apply(made.0).map(drop)
    }

    /// Returns the names of the prompts, in the order of the list.
    pub fn names(&self) -> Vec<String> {
        self.0.names(Operation::GetPrompt)
    }

    /// Tells the clients that the list has changed. The methods that change the list already do this themselves.
    pub fn notify(&self) {
        if let Some(service) = self.0.get() {
            service.subscriptions().change(&Topic::Prompts);
        }
    }

    fn apply(&self, changes: Vec<ItemChange>) -> Result<bool, BuildError> {
        self.0.require("prompts/get", Operation::GetPrompt, "Server::dynamic_prompts")?;
        self.0.apply(Operation::GetPrompt, changes, &ItemChecks { item: methods::check, ..ItemChecks::NONE })
    }
}

impl PromptChanges {
    /// See [`PromptList::add`].
    pub fn add(&mut self, prompt: impl Prompt) {
        self.add_all([Box::new(prompt) as Box<dyn Prompt>]);
    }

    /// See [`PromptList::add_all`].
    pub fn add_all(&mut self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) {
        self.0.extend(prompts.into_iter().map(|prompt| ItemChange::Add(item(prompt))));
    }

    /// See [`PromptList::replace`].
    pub fn replace(&mut self, prompt: impl Prompt) {
        self.replace_all([Box::new(prompt) as Box<dyn Prompt>]);
    }

    /// See [`PromptList::replace_all`].
    pub fn replace_all(&mut self, prompts: impl IntoIterator<Item = Box<dyn Prompt>>) {
        self.0.extend(prompts.into_iter().map(|prompt| ItemChange::Replace(item(prompt))));
    }

    /// See [`PromptList::remove`].
    pub fn remove(&mut self, name: impl Into<String>) {
        self.0.push(ItemChange::Remove(name.into()));
    }
}

fn item(prompt: Box<dyn Prompt>) -> Box<dyn Tool> {
    Box::new(PromptTool::new(prompt))
}

impl fmt::Debug for PromptList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PromptList").field(&self.names()).finish()
    }
}

impl fmt::Debug for PromptChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptChanges").field("count", &self.0.len()).finish()
    }
}
