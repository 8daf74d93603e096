//! Parses `#[elicit(…)]` on a field.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, LitStr, Meta};

use super::rule::{self, Rule};
use crate::{errors::Errors, keys::Keys};

const KEYS: Keys = Keys {
    owner: "`#[elicit]` on a field",
    known: &[
        "title",
        "description",
        "default",
        "min",
        "max",
        "min_length",
        "max_length",
        "min_items",
        "max_items",
        "format",
        "rename",
        "enum_names",
        "not_secret",
    ],
    repeatable: &[],
    refused: &[
        ("key", "`key` renames a form and belongs on a variant; to rename a field, write `rename = \"…\"`"),
        (
            "pattern",
            "`pattern` is not part of the protocol, so no client would check it; \
             use `#[derive(Choice)]`, `min_length` and `max_length`, or `format`",
        ),
        ("crate", "`crate` belongs on the enum or the struct: `#[elicits(crate = …)]` or `#[elicit(crate = …)]`"),
        ("required", "a field is required unless its type is an `Option` or it has a `default`; remove `required`"),
        ("optional", "`optional` is not a key; to let users leave a field empty, make its type an `Option`"),
    ],
};

/// The parsed `#[elicit(…)]` of a field. Invalid parts were reported and are absent.
#[derive(Default)]
pub(crate) struct FieldAttr {
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) not_secret: bool,
    /// The rules of the field, in the order in which they are checked.
    pub(crate) rules: Vec<Rule>,
}

impl FieldAttr {
    pub(crate) fn read(errors: &mut Errors, attrs: &[Attribute]) -> Self {
        let mut read = Self::default();
        let mut rules = Vec::new();
        let lists = lists(errors, attrs, "elicit", "title = \"…\"");
        for entry in KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "title" => read.title = entry.text(errors).filter(|text| is_not_blank(errors, "title", text)),
                "description" => read.description = entry.long_text(errors),
                "rename" => read.rename = entry.text(errors),
                "not_secret" => read.not_secret = entry.flag(errors).is_some_and(|flag| flag.value),
                _ => rules.extend(Rule::read(errors, entry)),
            }
        }
        read.rules = rule::consistent(errors, rules);
        read
    }
}

/// Returns the contents of the attributes with this name. An attribute without contents is reported.
pub(crate) fn lists(errors: &mut Errors, attrs: &[Attribute], name: &str, example: &str) -> Vec<TokenStream> {
    let mut lists = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        match &attr.meta {
            Meta::List(list) if !list.tokens.is_empty() => lists.push(list.tokens.clone()),
            _ => errors.push(attr, format_args!("`#[{name}]` needs a key; write `#[{name}({example})]`, or remove it")),
        }
    }
    lists
}

pub(crate) fn is_not_blank(errors: &mut Errors, key: &str, text: &LitStr) -> bool {
    let blank = text.value().trim().is_empty();
    if blank {
        errors.push(text, format_args!("`{key}` is empty; write a text, or remove the key"));
    }
    !blank
}
