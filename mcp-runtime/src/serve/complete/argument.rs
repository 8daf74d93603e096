//! Arguments that clients send as text: how they are declared.

use std::borrow::Cow;

use super::{CompleteFuture, CompletionRequest, TextKind};
use crate::engine::tool::{StateNeed, bound::NamedFunction};

/// An argument that clients send as text.
#[derive(Clone, Debug)]
#[must_use]
pub struct TextArgument {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) kind: TextKind,
    pub(crate) completer: Option<NamedFunction<CompletionRequest, CompleteFuture>>,
}

/// Completes the value of an argument.
pub type Completer = fn(CompletionRequest) -> CompleteFuture;

impl TextArgument {
    /// Creates an argument whose type has this `kind`.
    #[doc(hidden)]
    pub const fn new(name: &'static str, kind: TextKind) -> Self {
        Self { name: Cow::Borrowed(name), title: None, description: None, kind, completer: None }
    }

    /// Creates an argument that must be present.
    pub fn required(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), ..Self::new("", TextKind { is_required: true, choices: &[] }) }
    }

    /// Creates an argument that can be absent.
    pub fn optional(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), ..Self::new("", TextKind { is_required: false, choices: &[] }) }
    }

    /// Sets the name shown to users (since 2025-06-18).
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the description.
    pub fn description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the function that completes the value.
    pub fn complete(mut self, completer: Completer) -> Self {
        self.completer = Some(NamedFunction::new(completer, Vec::new()));
        self
    }

    /// Returns the state that the completion function takes by reference.
    pub(crate) fn needs(&self) -> impl Iterator<Item = StateNeed> {
        self.completer.iter().flat_map(|completer| completer.states.iter().copied())
    }

    /// Returns whether clients can ask for completions of this argument.
    pub(crate) fn can_complete(&self) -> bool {
        self.completer.is_some() || !self.kind.choices.is_empty()
    }
}
