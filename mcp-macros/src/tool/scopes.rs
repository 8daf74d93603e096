//! Parses `scopes(…)`.

use syn::{
    Expr, LitStr, Token,
    parse::{Parse, Parser},
    punctuated::Punctuated,
};

use darling::FromMeta;

use crate::{
    errors::Errors,
    keys::{Entry, Value},
};

/// Returns the scopes of a tool, each scope once. Invalid scopes are reported and left out.
pub(super) fn read(errors: &mut Errors, entry: &Entry) -> Vec<LitStr> {
    let list = match &entry.value {
        Value::List(list) if !list.is_empty() => list.clone(),
        _ => {
            entry.misused(errors, "`scopes` must be a list; write `scopes(\"flights:write\")`");
            return Vec::new();
        }
    };
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated_with;
    let written = (|input: syn::parse::ParseStream<'_>| parser(input, Expr::parse)).parse2(list);
    let mut scopes: Vec<LitStr> = Vec::new();
    for written in errors.handle(written).unwrap_or_default() {
        let Ok(scope) = LitStr::from_expr(&written) else {
            errors.push(&written, "a scope must be a string; write `scopes(\"flights:write\")`");
            continue;
        };
        let text = scope.value();
        if let Some(message) = unfit(&text) {
            errors.push(&scope, message);
        } else if scopes.iter().any(|earlier| earlier.value() == text) {
            errors.push(&scope, format_args!("`{text}` is given twice; keep one"));
        } else {
            scopes.push(scope);
        }
    }
    scopes
}

/// Returns why the text is not a `scope-token` of RFC 6749: visible ASCII without `"` and `\`.
fn unfit(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("the scope is empty; write the scope that a token must grant, or remove `scopes`".to_owned());
    }
    if text.contains(' ') {
        let scopes: Vec<_> = text.split_whitespace().map(|scope| format!("{scope:?}")).collect();
        return Some(match scopes[..] {
            [] => "the scope is empty; write the scope that a token must grant, or remove `scopes`".to_owned(),
            [ref only] => format!("a scope cannot contain spaces; write `scopes({only})`"),
            _ => format!(
                "a scope cannot contain spaces; write one string for each scope: `scopes({})`",
                scopes.join(", ")
            ),
        });
    }
    let odd = text.chars().find(|c| !c.is_ascii_graphic() || matches!(c, '"' | '\\'))?;
    Some(format!("a scope cannot contain `{}`; allowed is visible ASCII except `\"` and `\\`", odd.escape_debug()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_scope_tokens() {
        for text in ["a", "flights:write", "https://example.com/flights.read", "!#[]~", "api://x/.default"] {
            assert_eq!(unfit(text), None, "{text}");
        }
        for text in ["", " ", "a b", " a", "a\"", "a\\", "a\tb", "é", "\u{7f}", "\0"] {
            assert!(unfit(text).is_some(), "{text:?}");
        }
    }
}
