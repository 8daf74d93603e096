//! Parses an enum as a list of choices.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, DeriveInput, Fields, Generics, Ident, LitStr, Path};

use crate::{
    errors::Errors,
    form::{self, is_not_blank},
    keys::{self, Keys},
    variants, words,
};

const ENUM_KEYS: Keys = Keys {
    owner: "`#[choice]` on an enum",
    known: &["crate"],
    repeatable: &[],
    refused: &[
        ("title", "an enum cannot have a title; write it on the field that uses the enum: `#[elicit(title = \"…\")]`"),
        ("rename", "`rename` belongs on a variant"),
        (
            "rename_all",
            "names of choices are in snake_case; for another name, write `#[choice(rename = \"…\")]` on the variant",
        ),
    ],
};

const VARIANT_KEYS: Keys = Keys {
    owner: "`#[choice]` on a variant",
    known: &["rename", "title"],
    repeatable: &[],
    refused: &[
        ("description", "a choice has no description in the protocol; write `title = \"…\"`"),
        ("default", "a default belongs on the field that uses the choice: `#[elicit(default = \"…\")]`"),
        ("key", "`key` renames a form; to rename a choice, write `rename = \"…\"`"),
        ("crate", "`crate` belongs above the whole enum"),
    ],
};

pub(crate) struct Choice {
    pub(crate) ident: Ident,
    /// Generic parameters. The macro rejects them, but keeps them in the output to avoid a second compiler error.
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    pub(crate) variants: Vec<Variant>,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The name of the variant on the wire.
    pub(crate) name: LitStr,
    pub(crate) title: Option<LitStr>,
}

impl Choice {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, input: DeriveInput) -> Self {
        let lists = lists(errors, &input.attrs, "crate = …");
        let entries = ENUM_KEYS.read(errors, lists);
        let krate = entries.first().and_then(|entry| entry.krate(errors)).unwrap_or_else(keys::runtime);
        let empty = "this enum has no choices; add a variant";
        let other = "`#[derive(Choice)]` belongs on an enum; each variant is one choice";
        let variants = variants::of_enum(errors, &input, empty, other);
        let variants = variants.map(|variant| Variant::read(errors, variant)).collect();
        Self { ident: input.ident, generics: input.generics, krate, variants }
    }
}

impl Variant {
    fn read(errors: &mut Errors, variant: &syn::Variant) -> Self {
        let lists = lists(errors, &variant.attrs, "title = \"…\"");
        let (mut rename, mut title) = (None, None);
        for entry in VARIANT_KEYS.read(errors, lists) {
            match &*entry.key.to_string() {
                "rename" => rename = entry.text(errors).filter(|text| is_not_blank(errors, "rename", text)),
                "title" => title = entry.text(errors).filter(|text| is_not_blank(errors, "title", text)),
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        let ident = variant.ident.clone();
        if !matches!(variant.fields, Fields::Unit) {
            let data = variant.fields.to_token_stream();
            let message =
                format!("a choice cannot contain data; write `{ident}`, and make the data a field of the form");
            errors.push(data, message);
        }
        let name = rename.unwrap_or_else(|| LitStr::new(&words::snake(&ident), ident.span()));
        Self { ident, name, title }
    }
}

/// Returns the contents of `#[choice(…)]`.
fn lists(errors: &mut Errors, attrs: &[Attribute], example: &str) -> Vec<TokenStream> {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("elicit")) {
        errors.push(attr, format_args!("`#[elicit]` has no effect on a choice; write `#[choice({example})]`"));
    }
    form::lists(errors, attrs, "choice", example)
}
