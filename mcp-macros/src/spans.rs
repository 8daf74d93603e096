//! Where generated code seems to stand. Errors are shown at the author's tokens; names are looked up, and lints see,
//! where the macro was called.

use proc_macro2::{Ident, Span};

/// The place of the author's tokens, for tokens of the macro.
pub(crate) fn located(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// A name of the author where the macro repeats it: lints speak of it only where the author wrote it.
pub(crate) fn generated(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(located(name.span()));
    name
}
