//! What the tokens of a type show. They choose words and refuse what no type could mend; verdicts on types are
//! the traits'.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

/// The type without parentheses and without the invisible group a `macro_rules!` puts around it.
pub(crate) fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        _ => ty,
    }
}

/// Whether the last segment of a path is `name`.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    matches!(peel(ty), Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// What in a type depends on something outside of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borrow {
    /// `&`
    Reference,
    /// `'_`. A lifetime with a name is a generic parameter, which is refused where it is declared.
    Lifetime,
    /// `impl Trait`
    Impl,
    /// `Self`
    SelfType,
}

/// The first of these in the type. A reference with a named lifetime is none.
pub(crate) fn borrow(ty: &Type) -> Option<Borrow> {
    find(ty.to_token_stream())
}

fn find(tokens: TokenStream) -> Option<Borrow> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                if let Some(found) = find(group.stream()) {
                    return Some(found);
                }
            }
            TokenTree::Punct(punct) => match (punct.as_char(), tokens.peek()) {
                ('&', Some(TokenTree::Punct(next))) if next.as_char() == '\'' => {}
                ('&', _) => return Some(Borrow::Reference),
                ('\'', Some(TokenTree::Ident(name))) if name == "_" => return Some(Borrow::Lifetime),
                _ => {}
            },
            TokenTree::Ident(ident) if ident == "impl" => return Some(Borrow::Impl),
            TokenTree::Ident(ident) if ident == "Self" => return Some(Borrow::SelfType),
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
    }
    None
}
