//! Parses `#[action]` and `#[action(…)]`.

use proc_macro2::Span;
use syn::{Attribute, Expr, LitStr, Meta};

use super::alias::Alias;
use crate::{errors::Errors, keys::Keys};

const OF_ALL: &str = "this key belongs to the whole tool: `#[mcp_actions(…)]`";

const KEYS: Keys = Keys {
    owner: "`#[action]`",
    known: &["name", "description", "alias", "list", "run"],
    repeatable: &["alias"],
    refused: &[
        ("title", OF_ALL),
        ("read_only", OF_ALL),
        ("destructive", OF_ALL),
        ("idempotent", OF_ALL),
        ("open_world", OF_ALL),
        ("requires", OF_ALL),
        ("optional", OF_ALL),
        ("scopes", OF_ALL),
        ("timeout", OF_ALL),
        ("crate", OF_ALL),
        ("hint", "a hint belongs to a parameter: `#[param(hint = \"…\")]`"),
    ],
};

/// The parsed `#[action(…)]`. Invalid parts were reported and are absent.
#[derive(Default)]
pub(crate) struct ActionAttr {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) is_list: bool,
    /// The place of the key `run`, if it is set.
    pub(crate) run: Option<Span>,
}

impl ActionAttr {
    /// Parses the `#[action]` attributes, and removes them from the method. Returns `None` if the method is not an
    /// action.
    pub(crate) fn take(errors: &mut Errors, attrs: &mut Vec<Attribute>) -> Option<Self> {
        let taken: Vec<_> = attrs.extract_if(.., |attr| attr.path().is_ident("action")).collect();
        taken.first()?;
        let lists = taken.iter().filter_map(|attr| match &attr.meta {
            Meta::Path(_) => None,
            Meta::List(list) => Some(list.tokens.clone()),
            Meta::NameValue(_) => {
                errors.push(attr, "`#[action]` does not take `= …`; write `#[action]` or `#[action(name = \"…\")]`");
                None
            }
        });
        let lists: Vec<_> = lists.collect();
        let mut read = Self::default();
        for entry in KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "name" => read.name = entry.text(errors),
                "description" => read.description = entry.long_text(errors),
                "alias" => read.aliases.extend(Alias::read(errors, &entry)),
                "list" => read.is_list = entry.flag(errors).is_some_and(|flag| flag.value),
                "run" => {
                    let is_set = entry.flag(errors).is_some_and(|flag| flag.value);
                    read.run = is_set.then(|| entry.key.span());
                }
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        Some(read)
    }
}
