//! Connects forms to tool definitions and to the contexts of calls.

use std::ops::Deref;

use super::form::{Declared, Elicits};
use crate::{
    call::{Call, Ctx},
    tool::ToolDefinition,
};

impl ToolDefinition {
    /// Declares that the tool asks with the forms of this set. A client that cannot show forms cannot call the tool,
    /// unless [`Capability::Elicitation`](crate::Capability::Elicitation) is [`optional`](Self::optional) for it.
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

/// A context with forms can do everything that one without forms can. Not implemented for `Ctx` itself, which would
/// deref to itself.
impl<S: Declared> Deref for Ctx<S> {
    type Target = Ctx;

    fn deref(&self) -> &Ctx {
        self.plain()
    }
}
