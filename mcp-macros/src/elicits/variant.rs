//! A variant of a set of forms. The variant either has the fields of a form, or wraps a struct that is a form.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, Fields, Generics, Ident, LitStr, Token, Type, Visibility, parse_quote, punctuated::Punctuated,
};

use crate::{
    docs,
    errors::Errors,
    form::{self, Form, OtherDerives},
    keys::Keys,
    spans::generated,
    tool::view,
    types, words,
};

const KEYS: Keys = Keys {
    owner: "`#[elicit]` on a variant",
    known: &["key", "view"],
    repeatable: &[],
    refused: &[
        ("rename", "`rename` does not apply to a form; to rename it, write `key = \"…\"`"),
        ("title", "a form cannot have a title; give a field a title, or write the text in `ctx.elicit::<…>(\"…\")`"),
        ("description", "the description of a form is its doc comment; write `/// …` above the variant"),
        ("crate", "`crate` belongs on the enum: `#[elicits(crate = …)]`"),
    ],
};

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// Doc comments, lint levels, and attributes for the derives of the enum.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) discriminant: Option<Expr>,
    pub(crate) key: LitStr,
    /// The view that shows the form, where the client can.
    pub(crate) view: Option<Type>,
    pub(crate) description: Option<Expr>,
    pub(crate) content: VariantContent,
}

pub(crate) enum VariantContent {
    /// The fields of the variant, from which the macro generates a struct.
    Form(Box<Form>),
    /// The type that the variant wraps. It must be a struct with `#[derive(Form)]`.
    Wrapped(Box<Type>),
    /// Content whose errors were reported. These tokens replace it in the output.
    Refused(TokenStream),
}

impl Variant {
    /// Parses the variant. Invalid parts are reported and left out. `params` are the generic parameters of the enum.
    pub(crate) fn read(
        errors: &mut Errors,
        variant: syn::Variant,
        vis: &Visibility,
        params: &[&Ident],
        beside: OtherDerives,
    ) -> Self {
        let syn::Variant { mut attrs, ident, fields, discriminant, .. } = variant;
        let lists = form::lists(errors, &attrs, "elicit", "key = \"…\"");
        let (mut key, mut shown_by) = (None, None);
        for entry in KEYS.read(errors, lists) {
            if entry.key == "view" {
                shown_by = view::read(errors, &entry);
            } else {
                key = entry.text(errors);
            }
        }
        let key = key.unwrap_or_else(|| LitStr::new(&words::snake(&ident), ident.span()));
        attrs.retain(|attr| is_kept(errors, attr, beside));
        let content = VariantContent::read(errors, &ident, fields, vis, params, beside);
        let discriminant = discriminant.map(|(_, value)| value);
        Self { ident, description: docs::text(&attrs), attrs, discriminant, key, view: shown_by, content }
    }

    /// Returns the type of the form. Returns `None` if the variant has no valid form.
    pub(crate) fn form(&self) -> Option<Type> {
        match &self.content {
            VariantContent::Form(form) => {
                let ident = generated(&form.ident);
                Some(parse_quote!(#ident))
            }
            VariantContent::Wrapped(ty) => Some((**ty).clone()),
            VariantContent::Refused(_) => None,
        }
    }

    /// Returns the name of the handler's method for this form.
    pub(crate) fn method(&self) -> Ident {
        generated(&words::ident(&words::snake(&self.ident), &self.ident))
    }
}

/// Returns whether an attribute is kept on the variant. Attributes without meaning on a form are reported.
fn is_kept(errors: &mut Errors, attr: &Attribute, beside: OtherDerives) -> bool {
    if is_cfg(attr) {
        errors.push(attr, "`#[cfg]` cannot remove a form; write two versions of the enum, each with `#[cfg]`");
        return false;
    }
    beside.refuse(errors, attr, "for another key, write `#[elicit(key = \"…\")]`");
    beside.reads(attr) || !["elicit", "choice", "serde", "schemars"].iter().any(|read| attr.path().is_ident(read))
}

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

impl VariantContent {
    fn read(
        errors: &mut Errors,
        ident: &Ident,
        fields: Fields,
        vis: &Visibility,
        params: &[&Ident],
        beside: OtherDerives,
    ) -> Self {
        match fields {
            Fields::Named(fields) if !fields.named.is_empty() => {
                let mut fields = fields.named;
                for field in &mut fields {
                    for cfg in field.attrs.iter().filter(|attr| is_cfg(attr)) {
                        let message =
                            "`#[cfg]` cannot remove a field; write two versions of the enum, each with `#[cfg]`";
                        errors.push(cfg, message);
                    }
                    if !matches!(field.vis, Visibility::Inherited) {
                        errors
                            .push(&field.vis, "a field always has the visibility of its enum; remove this visibility");
                    }
                    field.vis = vis.clone();
                }
                Self::form(errors, ident, &fields, params, beside)
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Self::wrapped(errors, &fields.unnamed[0], params),
            Fields::Unnamed(fields) if !fields.unnamed.is_empty() => {
                let message = format!("the fields of a form must have names; write `{ident} {{ name: Type, … }}`");
                errors.push(&fields, message);
                Self::Refused(fields.into_token_stream())
            }
            Fields::Named(_) | Fields::Unnamed(_) | Fields::Unit => {
                let message = format!("this form has no fields; write `{ident} {{ name: Type, … }}`");
                errors.push(ident, message);
                Self::form(errors, ident, &Punctuated::new(), params, beside)
            }
        }
    }

    fn form(
        errors: &mut Errors,
        ident: &Ident,
        fields: &Punctuated<syn::Field, Token![,]>,
        params: &[&Ident],
        beside: OtherDerives,
    ) -> Self {
        let form = Form::of_fields(errors, ident.clone(), Generics::default(), fields, params, beside);
        Self::Form(Box::new(form.with_placeholders()))
    }

    fn wrapped(errors: &mut Errors, field: &syn::Field, params: &[&Ident]) -> Self {
        for attr in &field.attrs {
            errors.push(attr, "attributes of a wrapped form belong on its struct; move this attribute there");
        }
        let Some(unnameable) = types::unnameable(&field.ty, params) else {
            return Self::Wrapped(Box::new(types::outliving(&field.ty, params)));
        };
        if unnameable.message().is_some() {
            errors.push(&field.ty, "this type is not a form; write the name of a struct with `#[derive(Form)]`");
        }
        let placeholder = types::placeholder(&field.ty, unnameable);
        Self::Refused(quote!((#placeholder)))
    }
}
