//! Inspects the tokens of types, to choose messages and to reject types that can never work. Traits of the runtime
//! check the types themselves.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, Ident, Lifetime, Path, PathArguments, Type, TypePath, parse_quote, parse2};

use crate::spans::placed;

/// Returns the type without parentheses and without the invisible group of a `macro_rules!`.
pub(crate) fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        _ => ty,
    }
}

/// Returns the type without its `&`.
pub(crate) fn referent(ty: &Type) -> &Type {
    match peel(ty) {
        Type::Reference(reference) => peel(&reference.elem),
        ty => ty,
    }
}

/// Returns whether the type is a path that ends with `name`.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    matches!(peel(ty), Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// Returns whether the type has the name of a context. Only messages depend on the result.
pub(crate) fn is_context(ty: &Type) -> bool {
    ["Ctx", "PhaseCtx"].iter().any(|name| is_named(ty, name))
}

/// Formats a type as in source code.
pub(crate) fn plain(ty: &Type) -> String {
    let tokens = ty.to_token_stream().to_string();
    ["::", "<", ">", ","].iter().fold(tokens, |text, sign| {
        let text = text.replace(&format!(" {sign}"), sign);
        if *sign == "," || *sign == ">" { text } else { text.replace(&format!("{sign} "), sign) }
    })
}

/// Replaces `Self` with `this`, the type of the `impl` block. Outside the block, `Self` has no meaning.
pub(crate) fn named(ty: &Type, this: &Type) -> Type {
    parse2(named_tokens(ty.to_token_stream(), this)).unwrap_or_else(|_| ty.clone())
}

fn named_tokens(tokens: TokenStream, this: &Type) -> TokenStream {
    let name = |token| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), named_tokens(group.stream(), this));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        TokenTree::Ident(ident) if ident == "Self" => placed(this, ident.span()),
        other => other.into(),
    };
    tokens.into_iter().flat_map::<TokenStream, _>(name).collect()
}

/// Returns the error type of a `Result` if this error type is a trait object without `Send` or `Sync`, such as
/// `Box<dyn Error>`.
pub(crate) fn boxed_error(ty: &Type) -> Option<&Type> {
    let (_, arguments) = result(ty)?;
    let [_, GenericArgument::Type(error)] = arguments[..] else { return None };
    let says = |word| has_word(error.to_token_stream(), &|ident| ident == word);
    (says("dyn") && !(says("Send") && says("Sync"))).then_some(error)
}

/// Returns the identifier `Result` of a `Result<T>` with one argument.
pub(crate) fn result_of_one(ty: &Type) -> Option<&Ident> {
    let (path, arguments) = result(ty)?;
    let alone = path.segments.len() == 1 && path.leading_colon.is_none() && arguments.len() == 1;
    alone.then(|| &path.segments[0].ident)
}

/// Returns the path of a type named `Result`, and its arguments.
fn result(ty: &Type) -> Option<(&Path, Vec<&GenericArgument>)> {
    let Type::Path(TypePath { qself: None, path, .. }) = peel(ty) else { return None };
    let last = path.segments.last().filter(|last| last.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    Some((path, arguments.args.iter().collect()))
}

/// Returns whether the function `is` returns `true` for at least one identifier in these tokens.
pub(crate) fn has_word(tokens: TokenStream, is: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_word(group.stream(), is),
        TokenTree::Ident(ident) => is(&ident),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// A part of a type that generated constants cannot repeat. Outside of the author's signature, the part has no meaning
/// or a different meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borrow {
    /// `&`
    Reference,
    /// `'_`. Named lifetimes do not count, because they are generic parameters, which are rejected where they are
    /// declared.
    Lifetime,
    /// `impl Trait`
    Impl,
    /// `Self`
    SelfType,
}

/// Returns the first [`Borrow`] in the type. A reference with a named lifetime does not count.
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

/// Why a type cannot be named in a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unnameable {
    /// `[T]`
    Slice,
    /// `str`
    Text,
    /// `dyn Trait`
    Object,
    /// `impl Trait`
    Impl,
    /// `_`
    Infer,
    /// `Self`
    SelfType,
    /// The name of the form to which the field belongs.
    Itself,
    /// A generic parameter of the item, which is rejected where it is declared.
    Generic,
    /// A lifetime parameter of the item.
    Lifetime,
}

impl Unnameable {
    /// Returns the error for a field whose type cannot be named. Returns `None` if another check or the compiler
    /// reports the type.
    pub(crate) fn message(self) -> Option<&'static str> {
        match self {
            Self::Slice => Some("a form cannot contain a list; for several choices, write `MultiSelect<YourChoice>`"),
            Self::Text => Some("a field cannot be a `str`; write `String`"),
            Self::Object | Self::Impl => Some("the type of a field must be concrete; write a type such as `String`"),
            Self::Infer => Some("the type of a field cannot contain `_`; write the type"),
            Self::SelfType => Some("a form cannot contain itself; ask the user several times with this form instead"),
            Self::Itself => Some(
                "a form cannot contain itself; if you mean another type with this name, \
                 write its full path, or rename the form",
            ),
            Self::Generic | Self::Lifetime => None,
        }
    }

    /// Returns whether the type is unsized.
    pub(crate) fn is_unsized(self) -> bool {
        matches!(self, Self::Slice | Self::Text | Self::Object)
    }
}

/// Returns a type that replaces the rejected `ty` in generated code.
pub(crate) fn placeholder(ty: &Type, unnameable: Unnameable) -> Type {
    match unnameable {
        Unnameable::Lifetime => ty.clone(),
        Unnameable::Slice | Unnameable::Text | Unnameable::Object | Unnameable::SelfType => {
            parse_quote!(::std::boxed::Box<#ty>)
        }
        Unnameable::Impl | Unnameable::Infer | Unnameable::Itself | Unnameable::Generic => parse_quote!(()),
    }
}

/// Returns the first [`Unnameable`] in the type. `generics` are the generic parameters of the item.
pub(crate) fn unnameable(ty: &Type, generics: &[&Ident]) -> Option<Unnameable> {
    match peel(ty) {
        Type::Slice(_) => Some(Unnameable::Slice),
        Type::TraitObject(_) => Some(Unnameable::Object),
        ty @ Type::Path(path) if is_named(ty, "str") && path.path.get_ident().is_some() => Some(Unnameable::Text),
        ty => unnameable_token(ty.to_token_stream(), generics),
    }
}

fn unnameable_token(tokens: TokenStream, generics: &[&Ident]) -> Option<Unnameable> {
    let mut of_lifetime = false;
    for token in tokens {
        let found = match &token {
            TokenTree::Group(group) => unnameable_token(group.stream(), generics),
            TokenTree::Ident(name) if of_lifetime => generics.contains(&name).then_some(Unnameable::Lifetime),
            TokenTree::Ident(ident) if ident == "impl" => Some(Unnameable::Impl),
            TokenTree::Ident(ident) if ident == "_" => Some(Unnameable::Infer),
            TokenTree::Ident(ident) if ident == "Self" => Some(Unnameable::SelfType),
            TokenTree::Ident(ident) => generics.contains(&ident).then_some(Unnameable::Generic),
            TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        if found.is_some() {
            return found;
        }
        of_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
    None
}

/// Returns whether the type contains a path that begins with `name`. A name after `::` does not count, because such a
/// name is another type.
pub(crate) fn mentions(ty: &Type, name: &Ident) -> bool {
    fn find(tokens: TokenStream, name: &Ident) -> bool {
        let mut behind_colon = false;
        tokens.into_iter().any(|token| {
            let found = match &token {
                TokenTree::Group(group) => find(group.stream(), name),
                TokenTree::Ident(ident) => !behind_colon && ident == name,
                TokenTree::Punct(_) | TokenTree::Literal(_) => false,
            };
            behind_colon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':');
            found
        })
    }
    find(ty.to_token_stream(), name)
}

/// Returns the type, with `'static` in place of omitted lifetimes and of the item's lifetime parameters.
pub(crate) fn outliving(ty: &Type, generics: &[&Ident]) -> Type {
    parse2(outliving_tokens(ty.to_token_stream(), generics)).unwrap_or_else(|_| ty.clone())
}

fn outliving_tokens(tokens: TokenStream, generics: &[&Ident]) -> TokenStream {
    let mut outliving = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), outliving_tokens(group.stream(), generics));
                inner.set_span(group.span());
                outliving.extend([TokenTree::Group(inner)]);
            }
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let span = punct.span();
                outliving.extend([TokenTree::Punct(punct)]);
                if !matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '\'') {
                    forever(span).to_tokens(&mut outliving);
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.peek() {
                Some(TokenTree::Ident(name)) if name == "_" || generics.contains(&name) => {
                    forever(punct.span()).to_tokens(&mut outliving);
                    tokens.next();
                }
                _ => outliving.extend([TokenTree::Punct(punct)]),
            },
            other => outliving.extend([other]),
        }
    }
    outliving
}

fn forever(span: Span) -> Lifetime {
    Lifetime::new("'static", span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(ty: &str) -> Type {
        syn::parse_str(ty).expect("a type")
    }

    #[test]
    fn finds_types_that_no_constant_can_name() {
        let generics = [&Ident::new("T", Span::call_site()), &Ident::new("a", Span::call_site())];
        for (ty, expected) in [
            ("[u8]", Some(Unnameable::Slice)),
            ("(str)", Some(Unnameable::Text)),
            ("dyn Fn()", Some(Unnameable::Object)),
            ("Option<impl Copy>", Some(Unnameable::Impl)),
            ("Vec<_>", Some(Unnameable::Infer)),
            ("Box<Self>", Some(Unnameable::SelfType)),
            ("Option<[T; 2]>", Some(Unnameable::Generic)),
            ("&'a str", Some(Unnameable::Lifetime)),
            ("&'b str", None),
            ("Vec<String>", None),
            ("Cow<'_, str>", None),
        ] {
            assert_eq!(unnameable(&parsed(ty), &generics), expected, "{ty}");
        }
    }

    #[test]
    fn ignores_names_after_a_path() {
        let name = Ident::new("Email", Span::call_site());
        for (ty, expected) in [
            ("Email", true),
            ("Option<Box<Email>>", true),
            ("Email::Address", true),
            ("mcp_runtime::elicit::Email", false),
            ("Option<::mcp_runtime::elicit::Email>", false),
            ("Emails", false),
        ] {
            assert_eq!(mentions(&parsed(ty), &name), expected, "{ty}");
        }
    }

    #[test]
    fn replaces_lifetimes_by_static() {
        let generics = [&Ident::new("a", Span::call_site())];
        for (ty, expected) in [
            ("&str", "&'static str"),
            ("&'a &mut T", "&'static &'static mut T"),
            ("Cow<'_, str>", "Cow<'static, str>"),
            ("for<'b> fn(&'b (&str,))", "for<'b> fn(&'b (&'static str,))"),
            ("Vec<String>", "Vec<String>"),
        ] {
            let plain = |ty: Type| ty.to_token_stream().to_string();
            assert_eq!(plain(outliving(&parsed(ty), &generics)), plain(parsed(expected)), "{ty}");
        }
    }
}
