//! Connects forms to tool definitions and to the contexts of calls.

use std::ops::Deref;

use super::form::{Declared, Elicits};
use crate::engine::{
    call::{Call, Ctx},
    tool::ToolDefinition,
};

impl ToolDefinition {
    /// Declares that the tool asks the user with the forms of `S`. A client that cannot show forms can call the tool
    /// only if the tool lists [`Capability::Elicitation`](crate::call::Capability::Elicitation) as
    /// [`optional`](Self::optional).
    pub fn elicits<S: Elicits>(self) -> Self {
        self.with_forms(S::FORMS)
    }
}

impl Call {
    /// Creates the context of this call.
    pub fn context<S: Elicits, P>(&self) -> Ctx<S, P> {
        Ctx::new(self.clone())
    }
}

/// Gives a context with forms the methods of a context without forms. `NoForms` is not [`Declared`], because otherwise
/// a context without forms would dereference to itself.
impl<S: Declared> Deref for Ctx<S> {
    type Target = Ctx;

    fn deref(&self) -> &Ctx {
        self.plain()
    }
}
