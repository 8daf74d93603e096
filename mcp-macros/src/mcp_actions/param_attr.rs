//! Parses `#[param(…)]` on a parameter of an action.

use syn::{Attribute, Ident, LitStr, Meta, PatType, Type};

use crate::{errors::Errors, keys::Keys, types};

const KEYS: Keys = Keys {
    owner: "`#[param]`",
    known: &["hint", "inputs_of"],
    repeatable: &[],
    refused: &[
        ("default", "to give the parameter a default, write `#[serde(default = …)]`"),
        ("name", "to rename the parameter, write `#[serde(rename = \"…\")]`"),
        ("description", "the description is the doc comment of the parameter"),
    ],
};

/// The parsed `#[param(…)]`. Invalid parts were reported and are absent.
#[derive(Default)]
pub(crate) struct ParamAttr {
    pub(crate) hint: Option<LitStr>,
    /// The parameter with the name of the catalog's entry whose inputs this parameter holds.
    pub(crate) inputs_of: Option<Ident>,
}

impl ParamAttr {
    /// Parses the attributes `#[param]` of a parameter, and removes them.
    pub(crate) fn take(errors: &mut Errors, typed: &mut PatType) -> Self {
        let taken: Vec<Attribute> = typed.attrs.extract_if(.., |attr| attr.path().is_ident("param")).collect();
        let mut read = Self::default();
        let Some(first) = taken.first() else { return read };
        if matches!(types::peel(&typed.ty), Type::Reference(_)) {
            let message =
                "`#[param]` has no effect here, because the parameter does not come from the model; remove it";
            errors.push(first, message);
            return read;
        }
        if typed.attrs.iter().any(|attr| attr.path().is_ident("params")) {
            errors.push(first, "a parameter with `#[params]` has no hint of its own; describe the fields of its type");
            return read;
        }
        let mut lists = Vec::new();
        for attr in &taken {
            match &attr.meta {
                Meta::List(list) => lists.push(list.tokens.clone()),
                other => errors.push(other, "write `#[param(hint = \"…\")]`"),
            }
        }
        for entry in KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "hint" => {
                    read.hint = entry.text(errors);
                    if let Some(text) = read.hint.as_ref().filter(|text| text.value().trim().is_empty()) {
                        errors.push(text, "the hint is empty; write what helps to choose a value, or remove it");
                    }
                }
                "inputs_of" => read.inputs_of = entry.ident(errors, "parameter"),
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        read
    }
}
