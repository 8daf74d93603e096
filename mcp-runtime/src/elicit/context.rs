//! Contexts of calls whose tools ask with forms.

use std::ops::Deref;

use super::form::{Declared, Elicits};
use crate::call::{Call, Ctx};

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
