//! Checks `#[serde]` and `#[schemars]` on the enum and its variants. There, these attributes are for other derives and
//! do not rename tools or arguments. On a field, the same attributes apply to the argument.

use darling::FromMeta;
use syn::{Attribute, Expr, LitStr};

use super::variant::Variant;
use crate::{errors::Errors, tool::serde_attr::each_key};

const FIELDS: &str = "this key does not rename the arguments of a tool; write `#[serde(rename = \"…\")]` on each field";
const READER: &str = "this key has no effect here, because each field is read separately; move it to the fields";

/// Checks the `#[serde]` and `#[schemars]` attributes of the enum.
pub(super) fn of_set(errors: &mut Errors, attrs: &[Attribute], variants: &[Variant]) {
    let named = variants.iter().all(|variant| variant.is_named);
    read(errors, attrs, |key, value| match key {
        // The tools already have these names.
        "rename_all" if named || value.is_some_and(|value| value.value() == "snake_case") => None,
        "rename_all" => Some(
            "this key does not rename tools; to rename them, write `#[tool(name = \"…\")]` on each variant".to_owned(),
        ),
        "rename_all_fields" => Some(FIELDS.to_owned()),
        "from" | "try_from" => Some("this key does not change how the fields are read; remove it".to_owned()),
        _ => None,
    });
}

/// Checks the `#[serde]` and `#[schemars]` attributes of a variant. `name` is the name of its tool.
pub(super) fn of_variant(errors: &mut Errors, attrs: &[Attribute], name: &LitStr) {
    read(errors, attrs, |key, value| match key {
        "rename" => {
            let given = value.filter(|given| given.value() != name.value())?.value();
            Some(format!("this key does not rename the tool `{}`; write `#[tool(name = \"{given}\")]`", name.value()))
        }
        "rename_all" => Some(FIELDS.to_owned()),
        "description" => Some("this key does not describe the tool; write a doc comment".to_owned()),
        "skip" | "skip_deserializing" => {
            Some("the model may call each variant, so you cannot skip a variant; move it to another enum".to_owned())
        }
        "with" | "deserialize_with" => Some(READER.to_owned()),
        _ => None,
    });
}

/// Reports each key for which `say` returns a message.
fn read(errors: &mut Errors, attrs: &[Attribute], say: impl Fn(&str, Option<LitStr>) -> Option<String>) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde") || attr.path().is_ident("schemars")) {
        let read = each_key(attr, |key, value: Option<&Expr>| {
            let text = value.and_then(|value| LitStr::from_expr(value).ok());
            if let Some(message) = say(&key.to_string(), text) {
                errors.push(key, message);
            }
        });
        errors.handle(read);
    }
}
