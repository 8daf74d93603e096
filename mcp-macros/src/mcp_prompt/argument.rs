//! Parses the parameters that a prompt takes by value. Each parameter is an argument. Clients send arguments as text.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Ident, LitStr, Meta, PatType, Path, Type, ext::IdentExt};

use super::ast::TextNoun;
use crate::{
    docs,
    errors::Errors,
    keys::Keys,
    tool::{
        is_lint_level,
        param::{name, owns_itself, published},
    },
};

/// An argument of a prompt, or a variable of a resource.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) name: LitStr,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    /// The function that completes the value.
    pub(crate) complete: Option<Path>,
    /// Whether the argument has no errors.
    pub(crate) is_sound: bool,
}

const KEYS: Keys = Keys { owner: "`#[arg]`", known: &["name", "title"], repeatable: &[], refused: &[] };

impl Argument {
    pub(crate) fn read(errors: &mut Errors, typed: &PatType, noun: TextNoun) -> Option<Self> {
        let before = errors.count();
        let (mut renamed, mut title, mut complete) = (None, None, None);
        for attr in &typed.attrs {
            let path = attr.path();
            if path.is_ident("arg") {
                let keys = list(errors, attr);
                for entry in KEYS.read(errors, keys) {
                    match &*entry.key.to_string() {
                        "name" => renamed = entry.text(errors),
                        _ => title = entry.text(errors),
                    }
                }
            } else if path.is_ident("complete") {
                complete = function(errors, attr);
            } else if !path.is_ident("doc") && !is_lint_level(attr) {
                errors.push(attr, refusal(path, noun));
            }
        }
        let ident = name(errors, &typed.pat);
        if !owns_itself(errors, &typed.ty) {
            return None;
        }
        let ident = ident?;
        let own = || published(&ident).unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
        let name = renamed.unwrap_or_else(own);
        let (ty, description) = ((*typed.ty).clone(), docs::text(&typed.attrs));
        Some(Self { ident, ty, name, title, description, complete, is_sound: errors.count() == before })
    }
}

/// Returns the tokens between the parentheses of `#[arg(…)]`.
fn list(errors: &mut Errors, attr: &Attribute) -> Option<TokenStream> {
    match &attr.meta {
        Meta::List(list) => Some(list.tokens.clone()),
        Meta::Path(_) | Meta::NameValue(_) => {
            errors.push(attr, "`#[arg]` needs keys; write `#[arg(name = \"…\")]` or `#[arg(title = \"…\")]`");
            None
        }
    }
}

/// Returns the function in `#[complete(function)]`.
fn function(errors: &mut Errors, attr: &Attribute) -> Option<Path> {
    let path = attr.parse_args::<Path>().ok();
    if path.is_none() {
        errors.push(attr, "`#[complete]` must name a function; write `#[complete(languages)]`");
    }
    path
}

/// Returns the error for an attribute that the parameter cannot have.
fn refusal(path: &Path, TextNoun { item, part, article, default }: TextNoun) -> String {
    if path.is_ident("serde") {
        format!(
            "`#[serde]` has no effect on {article} {part} of {item}; for another name write \
             `#[arg(name = \"…\")]`{default}"
        )
    } else if path.is_ident("schemars") {
        format!(
            "`#[schemars]` has no effect on {article} {part} of {item}; describe the allowed values in its doc comment"
        )
    } else if path.is_ident("params") {
        format!("{item} takes its {part}s one by one, because each is text; write one parameter for each {part}")
    } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
        "`#[cfg]` cannot remove a parameter; write two versions of the function, each with `#[cfg]`".to_owned()
    } else {
        format!("unknown attribute on {article} {part}; allowed are doc comments, `#[arg]` and `#[complete]`")
    }
}
