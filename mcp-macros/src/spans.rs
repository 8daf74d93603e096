//! Where generated code seems to stand. Errors are shown at the author's tokens; names are looked up, and lints see,
//! where the macro was called.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

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

/// Tokens as if they stood there.
pub(crate) fn placed(tokens: &impl ToTokens, span: Span) -> TokenStream {
    let place = |token| match token {
        TokenTree::Group(group) => {
            let mut placed = Group::new(group.delimiter(), placed(&group.stream(), span));
            placed.set_span(span);
            TokenTree::Group(placed)
        }
        mut token => {
            token.set_span(span);
            token
        }
    };
    tokens.to_token_stream().into_iter().map(place).collect()
}
