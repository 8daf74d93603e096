//! A variant of an enum of tools. Each variant defines one tool. The tool either has no input, or has one argument for
//! each field, or reads its whole input into one type.

use quote::ToTokens;
use syn::{Expr, Fields, Ident, LitStr};

use super::{ast::lists, beside};
use crate::{docs, errors::Errors, keys::Keys, tool::Value, words};

const KEYS: Keys = Keys {
    owner: "`#[tool]` on a variant",
    known: &["name", "description"],
    repeatable: &[],
    refused: &[
        ("rename", "`rename` does not apply to a tool; to rename it, write `name = \"…\"`"),
        ("title", "a tool for a model cannot have a title; write the text in the doc comment"),
        ("crate", "`crate` belongs above the whole enum"),
    ],
};

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The name by which the model calls the tool.
    pub(crate) name: LitStr,
    /// Whether the author chose the name.
    pub(crate) is_named: bool,
    pub(crate) description: Option<Expr>,
    /// Whether `#[tool]` has errors. If so, the part that could not be parsed may contain the description.
    pub(crate) is_misread: bool,
    /// The fields of the variant, or the type that the variant wraps.
    pub(crate) values: Vec<Value>,
    /// Whether the macro can generate code that reads every field of the variant.
    pub(crate) whole: bool,
}

impl Variant {
    /// Parses the variant. Invalid parts are reported and left out. `this` is the enum, `params` are its generic
    /// parameters.
    pub(super) fn read(errors: &mut Errors, variant: &syn::Variant, this: &Ident, params: &[&Ident]) -> Self {
        let syn::Variant { attrs, ident, fields, .. } = variant;
        let (mut name, mut description) = (None, docs::text(attrs));
        let mistakes = errors.count();
        let lists = lists(errors, attrs, "name = \"…\"");
        for entry in KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "name" => name = entry.text(errors),
                "description" => description = entry.long_text(errors).or(description),
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        let is_misread = errors.count() > mistakes;
        let is_named = name.is_some();
        let name = name.unwrap_or_else(|| LitStr::new(&words::snake(ident), ident.span()));
        beside::of_variant(errors, attrs, &name);
        let values = values(errors, ident, fields, this, params);
        let whole = values.len() == fields.len();
        Self { ident: ident.clone(), name, is_named, description, is_misread, values, whole }
    }
}

fn values(errors: &mut Errors, ident: &Ident, fields: &Fields, this: &Ident, params: &[&Ident]) -> Vec<Value> {
    for attr in fields.iter().flat_map(|field| &field.attrs).filter(|attr| attr.path().is_ident("tool")) {
        errors.push(
            attr,
            "`#[tool]` belongs on a variant; describe a field with a doc comment, and rename it with \
             `#[serde(rename = \"…\")]`",
        );
    }
    match fields {
        Fields::Unit => Vec::new(),
        Fields::Named(fields) => {
            fields.named.iter().filter_map(|field| Value::of_field(errors, field, this, params)).collect()
        }
        Fields::Unnamed(fields) if fields.unnamed.len() > 1 => {
            let message = format!("the arguments of a tool must have names; write `{ident} {{ name: Type, … }}`");
            errors.push(fields.to_token_stream(), message);
            Vec::new()
        }
        Fields::Unnamed(fields) => {
            let wrapped = fields.unnamed.iter();
            wrapped.filter_map(|field| Value::of_wrapped(errors, ident, field, this, params)).collect()
        }
    }
}
