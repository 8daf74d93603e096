//! Doc comments, as text for a model.

use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, parse_quote};

/// The text of the doc comments among `attrs`: an expression of type `&'static str`, or nothing where there is
/// none or a blank one.
pub(crate) fn text(attrs: &[Attribute]) -> Option<Expr> {
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let values: Vec<_> = docs
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(doc) => Some(&doc.value),
            // `#[doc(hidden)]` and its like.
            Meta::Path(_) | Meta::List(_) => None,
        })
        .collect();
    let literals: Option<Vec<_>> = values.iter().map(|value| literal(value)).collect();
    match literals {
        Some(literals) => {
            let text = unindent(&literals.join("\n"));
            (!text.is_empty()).then(|| parse_quote!(#text))
        }
        // `#[doc = include_str!("…")]`: only the compiler can read it.
        None => {
            let lines = values.iter().map(|value| quote!(#value, "\n"));
            Some(parse_quote!(::core::concat!(#(#lines),*).trim_ascii()))
        }
    }
}

fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        // Through a `macro_rules!` the literal arrives in an invisible group.
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

/// Takes away the spaces that all lines begin with, those that lines end with, and blank lines around.
fn unindent(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    let lines: Vec<_> = text.lines().map(|line| line.get(indent..).unwrap_or_default().trim_end()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}
