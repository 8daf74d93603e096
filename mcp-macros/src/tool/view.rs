//! Parses `view = SeatMap` and `visibility = "app"`.

use quote::ToTokens;
use syn::{Expr, Ident, LitStr, Type, parse2};

use crate::{
    errors::Errors,
    keys::{Entry, Value},
};

/// Reads the type of a view.
pub(crate) fn read(errors: &mut Errors, entry: &Entry) -> Option<Type> {
    if let Value::Is(value) = &entry.value
        && let Expr::Path(path) = without_groups(value)
    {
        return errors.handle(parse2(path.to_token_stream()));
    }
    entry.misused(
        errors,
        "`view` must be the name of a struct with `#[mcp_view]`, without quotes; write `view = SeatMap`",
    );
    None
}

/// Returns the expression inside of the invisible groups of a `macro_rules!`.
fn without_groups(mut value: &Expr) -> &Expr {
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    value
}

/// Reads who can call a tool, as a variant of `ToolVisibility`.
pub(super) fn visibility(errors: &mut Errors, entry: &Entry) -> Option<Ident> {
    const VALUES: &str = "`visibility` must be `\"app\"` (only views call the tool) or `\"model\"` (only models do); by \
                          default, both do";
    let text: Option<LitStr> = entry.value();
    let variant = match text.as_ref().map(LitStr::value).as_deref() {
        Some("app") => "App",
        Some("model") => "Model",
        _ => {
            entry.misused(errors, VALUES);
            return None;
        }
    };
    Some(Ident::new(variant, text.map_or_else(|| entry.key.span(), |text| text.span())))
}
