//! Parses a form from a struct or from a variant.

use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Ident, Path, Token, punctuated::Punctuated};

use super::{beside::OtherDerives, field::Field, field_attr};
use crate::{
    errors::Errors,
    generics,
    keys::{self, Keys},
    types::{self, Unnameable},
};

pub(crate) struct Form {
    pub(crate) ident: Ident,
    /// Generic parameters. The macro rejects them, but keeps them in the output to avoid a second compiler error.
    pub(crate) generics: Generics,
    pub(crate) fields: Vec<Field>,
    /// Whether generated constants can name the type of every field. If not, the macro generates no code that builds
    /// the struct.
    pub(crate) whole: bool,
}

/// A struct with `#[derive(Form)]`.
pub(crate) struct Derived {
    pub(crate) form: Form,
    /// Whether the struct is sized.
    pub(crate) is_sized: bool,
    pub(crate) krate: Path,
}

impl Form {
    pub(crate) fn of_fields(
        errors: &mut Errors,
        ident: Ident,
        generics: Generics,
        fields: &Punctuated<syn::Field, Token![,]>,
        params: &[&Ident],
        beside: OtherDerives,
    ) -> Self {
        let read = |field| Field::read(errors, field, &ident, params, beside);
        let fields: Vec<_> = fields.iter().filter_map(read).collect();
        let whole = fields.iter().all(|field| field.unnameable.is_none());
        Self { ident, generics, fields, whole }
    }

    /// Replaces rejected types with placeholders. Used for the structs that the macro generates.
    pub(crate) fn with_placeholders(mut self) -> Self {
        for field in &mut self.fields {
            if let Some(unnameable) = field.unnameable {
                field.ty = types::placeholder(&field.ty, unnameable);
            }
        }
        self
    }
}

impl Derived {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, input: DeriveInput) -> Self {
        let krate = krate(errors, &input.attrs);
        let params = generics::names(&input.generics);
        let (culprit, mend) = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => {
                    let (ident, generics) = (input.ident.clone(), input.generics.clone());
                    let form = Form::of_fields(errors, ident, generics, &fields.named, &params, OtherDerives::UNKNOWN);
                    let is_sized =
                        !form.fields.iter().any(|field| field.unnameable.is_some_and(Unnameable::is_unsized));
                    return Self { form, is_sized, krate };
                }
                Fields::Unnamed(fields) => {
                    let mend = format!(
                        "the fields of a form must have names; write `struct {} {{ name: Type, … }}`",
                        input.ident
                    );
                    (fields.to_token_stream(), mend)
                }
                Fields::Unit => {
                    let mend = format!("this form has no fields; write `struct {} {{ name: Type, … }}`", input.ident);
                    (input.ident.to_token_stream(), mend)
                }
            },
            Data::Enum(data) => {
                let mend = "a form must be a struct with named fields; put `#[elicits]` on an enum of forms, \
                            and `#[derive(Choice)]` on an enum of choices";
                (data.enum_token.to_token_stream(), mend.to_owned())
            }
            Data::Union(data) => {
                (data.union_token.to_token_stream(), "a form must be a struct with named fields".to_owned())
            }
        };
        errors.push(culprit, mend);
        let form = Form { ident: input.ident, generics: input.generics, fields: Vec::new(), whole: false };
        Self { form, is_sized: true, krate }
    }
}

const KEYS: Keys = Keys {
    owner: "`#[elicit]` on a struct",
    known: &["crate"],
    repeatable: &[],
    refused: &[("key", "`key` belongs on the variant that wraps this struct")],
};

/// Reads `#[elicit(crate = …)]` above the struct.
fn krate(errors: &mut Errors, attrs: &[Attribute]) -> Path {
    for attr in attrs {
        OtherDerives::UNKNOWN.refuse(errors, attr, "write `#[elicit(…)]` on a field");
    }
    let lists = field_attr::lists(errors, attrs, "elicit", "crate = …");
    let entries = KEYS.read(errors, lists);
    entries.first().and_then(|entry| entry.krate(errors)).unwrap_or_else(keys::runtime)
}
