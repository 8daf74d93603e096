//! The fields of a variant that a model calls as a tool: what parameters are to a function.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Ident, Type, parse_quote};

use super::{
    Place, Value,
    param::OWNED,
    serde_attr::{self, SerdeAttr},
};
use crate::{
    errors::Errors,
    types::{self, Borrow, Shut},
};

impl Value {
    /// A field with a name of the enum `this`, whose generic parameters are `generics`. Nothing where no reader can be
    /// made of the type: then this was said, here or by the compiler.
    pub(crate) fn of_field(errors: &mut Errors, field: &syn::Field, this: &Ident, generics: &[&Ident]) -> Option<Self> {
        let mistakes = errors.count();
        let serde = SerdeAttr::read(errors, &field.attrs, Place::Field);
        let schemars = serde_attr::schemars_keys(errors, &field.attrs);
        let ty = owned(errors, &field.ty, this, generics)?;
        Some(Self {
            place: Place::Field,
            ident: field.ident.clone()?,
            ty,
            attrs: field.attrs.iter().filter(|attr| goes_on(attr)).cloned().collect(),
            serde,
            described_otherwise: serde_attr::describes_otherwise(&schemars),
            sound: errors.count() == mistakes,
            whole: None,
        })
    }

    /// The type that a variant wraps: it reads all arguments. `variant` names it.
    pub(crate) fn of_wrapped(
        errors: &mut Errors,
        variant: &Ident,
        field: &syn::Field,
        this: &Ident,
        generics: &[&Ident],
    ) -> Option<Self> {
        let mistakes = errors.count();
        for attr in field.attrs.iter().filter(|attr| goes_on(attr) || attr.path().is_ident("serde")) {
            errors.push(
                attr,
                "a wrapped type is the whole input of the tool; move this to the type or its fields, \
                 or to the variant if it describes the tool",
            );
        }
        let ty = owned(errors, &field.ty, this, generics)?;
        let whole = Some(field.ty.to_token_stream());
        let sound = errors.count() == mistakes;
        let (attrs, serde, ident) = (Vec::new(), SerdeAttr::default(), variant.clone());
        Some(Self { place: Place::Field, ident, ty, attrs, serde, described_otherwise: false, sound, whole })
    }
}

/// Whether the reader and the schema are told of an attribute.
fn goes_on(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") || attr.path().is_ident("schemars")
}

/// The type as a constant names it. One that borrows is refused; what no variant can hold at all is the compiler's to
/// say, and a generic parameter was refused where it is declared.
fn owned(errors: &mut Errors, ty: &Type, this: &Ident, generics: &[&Ident]) -> Option<Type> {
    match types::shut(ty, generics) {
        None => {}
        Some(Shut::SelfType) => return owned(errors, &types::named(ty, &parse_quote!(#this)), this, generics),
        Some(_) => return None,
    }
    // For how long makes no difference: the text of a call is gone when it is read.
    if has_reference(ty.to_token_stream()) || types::borrow(ty) == Some(Borrow::Lifetime) {
        errors.push(ty, OWNED);
        return None;
    }
    Some(ty.clone())
}

/// Whether there is a `&` in the type.
fn has_reference(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_reference(group.stream()),
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
