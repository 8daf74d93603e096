//! Spans of generated code. Errors appear at the author's tokens; names and lints resolve at the macro call.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Returns a span for generated tokens. It has the location of `span`, but a name with this span resolves at the
/// macro call.
pub(crate) fn located(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// Returns a copy of the author's `name` for generated code, so that lints do not report the generated uses.
pub(crate) fn generated(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(located(name.span()));
    name
}

/// Returns a copy of the tokens. Each token has the span `span`.
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
