//! Tools that ask with forms: their definitions, and the contexts of their calls.

use std::ops::Deref;

use super::form::{Declared, Elicits};
use crate::{
    call::{Call, Ctx},
    tool::ToolDefinition,
};

impl ToolDefinition {
    /// The tool asks with the forms of this set: a client that cannot show forms cannot call it, unless the tool is
    /// [`optional`](Self::optional) about [`Capability::Elicitation`](crate::Capability::Elicitation).
    pub fn elicits<S: Elicits>(self) -> Self {
        self.with_forms(S::FORMS)
    }
}

impl Call {
    /// The context of this call.
    pub fn context<S: Elicits, P>(&self) -> Ctx<S, P> {
        Ctx::new(self.clone())
    }
}

/// A tool that asks with forms can do all that one without can. Not for `Ctx` itself, which would be its own target.
impl<S: Declared> Deref for Ctx<S> {
    type Target = Ctx;

    fn deref(&self) -> &Ctx {
        self.plain()
    }
}
