//! Parses the fields of a `SampleTools` variant, which correspond to the parameters of a function.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Ident, Type, parse_quote};

use super::{
    ArgumentKind, Value,
    param::OWNED,
    serde_attr::{self, SerdeAttr},
};
use crate::{
    errors::Errors,
    types::{self, Borrow, Unnameable},
};

impl Value {
    /// Parses a named field of the enum `this`, whose generic parameters are `generics`. If the type of the field
    /// cannot be read, returns `None`, and this function or the compiler reports an error.
    pub(crate) fn of_field(errors: &mut Errors, field: &syn::Field, this: &Ident, generics: &[&Ident]) -> Option<Self> {
        let mistakes = errors.count();
        let serde = SerdeAttr::read(errors, &field.attrs, ArgumentKind::Field);
        let schemars = serde_attr::schemars_keys(errors, &field.attrs);
        let ty = owned(errors, &field.ty, this, generics)?;
        Some(Self {
            kind: ArgumentKind::Field,
            ident: field.ident.clone()?,
            ty,
            attrs: field.attrs.iter().filter(|attr| is_passed_on(attr)).cloned().collect(),
            serde,
            described_otherwise: serde_attr::describes_otherwise(&schemars),
            sound: errors.count() == mistakes,
            whole: None,
        })
    }

    /// Parses the type that a variant wraps. This type reads all arguments. `variant` is the variant's name.
    pub(crate) fn of_wrapped(
        errors: &mut Errors,
        variant: &Ident,
        field: &syn::Field,
        this: &Ident,
        generics: &[&Ident],
    ) -> Option<Self> {
        let mistakes = errors.count();
        for attr in field.attrs.iter().filter(|attr| is_passed_on(attr) || attr.path().is_ident("serde")) {
            errors.push(
                attr,
                "this attribute cannot be on a wrapped type; move it to the variant if it describes the tool, otherwise \
                 to the definition or the fields of the type",
            );
        }
        let ty = owned(errors, &field.ty, this, generics)?;
        let whole = Some(field.ty.to_token_stream());
        let sound = errors.count() == mistakes;
        let (attrs, serde, ident) = (Vec::new(), SerdeAttr::default(), variant.clone());
        Some(Self { kind: ArgumentKind::Field, ident, ty, attrs, serde, described_otherwise: false, sound, whole })
    }
}

/// Returns whether the attribute is passed on to the reader and the schema.
fn is_passed_on(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") || attr.path().is_ident("schemars")
}

/// Returns the type, with `Self` replaced by the enum. Rejects a type that borrows. The compiler reports types that a
/// variant cannot contain. Another check rejects generic parameters.
fn owned(errors: &mut Errors, ty: &Type, this: &Ident, generics: &[&Ident]) -> Option<Type> {
    match types::unnameable(ty, generics) {
        None => {}
        Some(Unnameable::SelfType) => return owned(errors, &types::named(ty, &parse_quote!(#this)), this, generics),
        Some(_) => return None,
    }
    // `'static` is rejected too: the text of a call is dropped after it is read.
    if has_reference(ty.to_token_stream()) || types::borrow(ty) == Some(Borrow::Lifetime) {
        errors.push(ty, OWNED);
        return None;
    }
    Some(ty.clone())
}

/// Returns whether the type contains a `&`.
fn has_reference(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_reference(group.stream()),
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
