//! Parses `#[param(hint = "…")]`.

use syn::{Attribute, LitStr, Meta, PatType, Type};

use crate::{errors::Errors, keys::Keys, types};

const KEYS: Keys = Keys {
    owner: "`#[param]`",
    known: &["hint"],
    repeatable: &[],
    refused: &[
        ("default", "to give the parameter a default, write `#[serde(default = …)]`"),
        ("name", "to rename the parameter, write `#[serde(rename = \"…\")]`"),
        ("description", "the description is the doc comment of the parameter"),
    ],
};

/// Removes the attributes `#[param]` of a parameter, and returns the hint in them.
pub(crate) fn take(errors: &mut Errors, typed: &mut PatType) -> Option<LitStr> {
    let taken: Vec<Attribute> = typed.attrs.extract_if(.., |attr| attr.path().is_ident("param")).collect();
    let first = taken.first()?;
    if matches!(types::peel(&typed.ty), Type::Reference(_)) {
        errors.push(first, "a hint has no effect here, because the parameter does not come from the model; remove it");
        return None;
    }
    if typed.attrs.iter().any(|attr| attr.path().is_ident("params")) {
        errors.push(first, "a parameter with `#[params]` has no hint of its own; describe the fields of its type");
        return None;
    }
    let mut lists = Vec::new();
    for attr in &taken {
        match &attr.meta {
            Meta::List(list) => lists.push(list.tokens.clone()),
            other => errors.push(other, "write `#[param(hint = \"…\")]`"),
        }
    }
    let mut hint = None;
    for entry in KEYS.read(errors, lists) {
        hint = entry.text(errors);
        if let Some(text) = hint.as_ref().filter(|text| text.value().trim().is_empty()) {
            errors.push(text, "the hint is empty; write what helps to choose a value, or remove it");
        }
    }
    hint
}
