//! Parses `#[mcp_actions(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::Expr;

use crate::{errors::Errors, keys::Keys, tool::ToolAttr};

const KEYS: Keys = Keys {
    owner: "`#[mcp_actions]`",
    known: &[
        "name",
        "title",
        "description",
        "icons",
        "instructions",
        "catalog",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "requires",
        "optional",
        "scopes",
        "timeout",
        "answer_within",
        "replayable",
        "view",
        "visibility",
        "allow",
        "meta",
        "crate",
    ],
    repeatable: &[],
    refused: &[
        (
            "register",
            "the actions are registered as a value: `Server::tool(pipelines.into_actions())`; remove `register`",
        ),
        ("task", "to run an action in the background, remove `task` and write `#[action(run)]`"),
    ],
};

/// The parsed `#[mcp_actions(…)]`. Invalid parts were reported and are absent.
pub(crate) struct ActionsAttr {
    pub(crate) tool: ToolAttr,
    pub(crate) instructions: Option<Expr>,
    /// The place of the key `catalog`, if it is set.
    pub(crate) catalog: Option<Span>,
}

impl ActionsAttr {
    pub(crate) fn read(errors: &mut Errors, attr: TokenStream) -> Self {
        let mut read = Self { tool: ToolAttr::default(), instructions: None, catalog: None };
        for entry in KEYS.read(errors, [attr]) {
            match &*entry.key.to_string() {
                "instructions" => read.instructions = entry.long_text(errors),
                "catalog" => {
                    let is_set = entry.flag(errors).is_some_and(|flag| flag.value);
                    read.catalog = is_set.then(|| entry.key.span());
                }
                _ => read.tool.set(errors, &entry),
            }
        }
        read
    }
}
