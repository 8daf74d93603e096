//! Warnings about an item that is valid, but that some hosts cannot use well. The command `check` has the same rules.

use std::fmt::Display;

use darling::FromMeta;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Expr, LitStr, spanned::Spanned};

use super::Interface;
use crate::{repeated_description::repeats_name, spans::located};

/// The maximum length of a name that every model API accepts.
const LONGEST_NAME: usize = 64;

/// The maximum length of a description that every model API accepts, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

/// Returns code that causes the warnings about a tool. `allow(…)` silences each of them.
pub(crate) fn of_tool(tool: &Interface) -> TokenStream {
    let warnings = [unportable_name(tool), repeated_description(tool), long_description(tool)];
    quote!(#(#warnings)*)
}

/// Returns code that causes the warnings about a prompt or a resource, whose names and descriptions users see.
pub(crate) fn of_item(item: &Interface) -> TokenStream {
    long_description(item).unwrap_or_default()
}

fn unportable_name(tool: &Interface) -> Option<TokenStream> {
    let name = tool.wire_name();
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let problem = match name.chars().find(|c| !is_allowed(*c)) {
        Some(odd) => format!("contains `{odd}`"),
        None if name.len() > LONGEST_NAME => format!("has {} characters", name.len()),
        None => return None,
    };
    let span = tool.attr.name.as_ref().map_or_else(|| tool.ident.span(), LitStr::span);
    warning(tool, "unportable_name", span, || {
        format!(
            "the name `{name}` {problem}, and hosts whose model API allows only up to {LONGEST_NAME} ASCII letters, \
             digits, `_` and `-` drop or rename the tool"
        )
    })
}

fn repeated_description(tool: &Interface) -> Option<TokenStream> {
    let (text, span) = described(tool)?;
    let name = tool.wire_name();
    repeats_name(&name, &text).then(|| {
        warning(tool, "repeated_description", span, || {
            format!(
                "the description `{}` only repeats the name, but the model chooses a tool by its description; write \
                 what the tool does, and when to use it",
                text.trim()
            )
        })
    })?
}

fn long_description(item: &Interface) -> Option<TokenStream> {
    let (text, span) = described(item)?;
    let length = text.chars().count();
    (length > LONGEST_DESCRIPTION).then(|| {
        warning(item, "long_description", span, || {
            format!(
                "the description has {length} characters, and some hosts reject or cut a description of more than \
                 {LONGEST_DESCRIPTION}; move details to the parameters, a resource or the results"
            )
        })
    })?
}

/// Returns the description, if it is written here, and its place: the value of `description`, or the name of the item.
fn described(item: &Interface) -> Option<(String, Span)> {
    let text = LitStr::from_expr(item.description.as_ref()?).ok()?.value();
    let span = item.attr.description.as_ref().map_or_else(|| item.ident.span(), Expr::span);
    Some((text, span))
}

/// Returns code that causes a warning at `span`, unless it is allowed.
fn warning<M: Display>(item: &Interface, rule: &str, span: Span, message: impl FnOnce() -> M) -> Option<TokenStream> {
    (!item.attr.allow.contains(&rule)).then(|| of_rule(rule, span, message()))
}

/// Returns code that causes a warning at `span`. Macros cannot warn in stable Rust, but the compiler warns of what is
/// deprecated.
pub(crate) fn of_rule(rule: &str, span: Span, message: impl Display) -> TokenStream {
    let name = Ident::new(rule, Span::call_site());
    let used = Ident::new(rule, located(span));
    let note = format!("{message}; to allow this, add `allow({rule})`");
    quote! {
        const _: () = {
            #[deprecated(note = #note)]
            const fn #name() {}
            #used()
        };
    }
}
