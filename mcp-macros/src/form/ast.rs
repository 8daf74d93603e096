//! What was meant: a form, from a struct or from a variant.

use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Ident, Path, Token, punctuated::Punctuated};

use super::{beside::Beside, field::Field, field_attr};
use crate::{
    errors::Errors,
    generics,
    keys::{self, Keys},
    types::{self, Shut},
};

pub(crate) struct Form {
    pub(crate) ident: Ident,
    /// Refused, but still there while the refusal is reported.
    pub(crate) generics: Generics,
    pub(crate) fields: Vec<Field>,
    /// Whether a value can be put together of the fields.
    pub(crate) whole: bool,
}

/// A struct with `#[derive(Form)]`.
pub(crate) struct Derived {
    pub(crate) form: Form,
    /// Whether there can be a value of the struct.
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
        beside: Beside,
    ) -> Self {
        let read = |field| Field::read(errors, field, &ident, params, beside);
        let fields: Vec<_> = fields.iter().filter_map(read).collect();
        let whole = fields.iter().all(|field| field.shut.is_none());
        Self { ident, generics, fields, whole }
    }

    /// The same for a struct of its own making: there is always something in place of a type that was refused.
    pub(crate) fn with_placeholders(mut self) -> Self {
        for field in &mut self.fields {
            if let Some(shut) = field.shut {
                field.ty = types::placeholder(&field.ty, shut);
            }
        }
        self
    }
}

impl Derived {
    /// What could not be understood was reported and is absent.
    pub(crate) fn new(errors: &mut Errors, input: DeriveInput) -> Self {
        let krate = krate(errors, &input.attrs);
        let params = generics::names(&input.generics);
        let (culprit, mend) = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => {
                    let (ident, generics) = (input.ident.clone(), input.generics.clone());
                    let form = Form::of_fields(errors, ident, generics, &fields.named, &params, Beside::A_DERIVE);
                    let is_sized = !form.fields.iter().any(|field| field.shut.is_some_and(Shut::is_unsized));
                    return Self { form, is_sized, krate };
                }
                Fields::Unnamed(fields) => {
                    let mend =
                        format!("the answers of a form have names; write `struct {} {{ name: Type, … }}`", input.ident);
                    (fields.to_token_stream(), mend)
                }
                Fields::Unit => {
                    let mend =
                        format!("a form asks at least one thing; write `struct {} {{ name: Type, … }}`", input.ident);
                    (input.ident.to_token_stream(), mend)
                }
            },
            Data::Enum(data) => {
                let mend = "a form is a struct with named fields; put `#[elicits]` on an enum of forms, \
                            `#[derive(Choice)]` on an enum of choices";
                (data.enum_token.to_token_stream(), mend.to_owned())
            }
            Data::Union(data) => {
                (data.union_token.to_token_stream(), "a form is a struct with named fields".to_owned())
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
    refused: &[("key", "a form has a key where it stands in a set: on the variant that wraps this struct")],
};

/// `#[elicit(crate = …)]` above the struct.
fn krate(errors: &mut Errors, attrs: &[Attribute]) -> Path {
    for attr in attrs {
        Beside::A_DERIVE.refuse(errors, attr, "say it of a field with `#[elicit(…)]`");
    }
    let lists = field_attr::lists(errors, attrs, "elicit", "crate = …");
    let entries = KEYS.read(errors, lists);
    entries.first().and_then(|entry| entry.krate(errors)).unwrap_or_else(keys::runtime)
}
