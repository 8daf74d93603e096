//! Parses the attribute and the enum as a set of forms.

use proc_macro2::TokenStream;
use quote::format_ident;
use syn::{Attribute, Generics, Ident, ItemEnum, Path, Token, Visibility, ext::IdentExt};

use super::variant::Variant;
use crate::{
    errors::Errors,
    form::OtherDerives,
    generics,
    keys::{self, Keys},
};

const KEYS: Keys = Keys {
    owner: "`#[elicits]`",
    known: &["crate"],
    repeatable: &[],
    refused: &[("key", "`key` names one form, not the whole set; write `#[elicit(key = \"…\")]` on a variant")],
};

pub(crate) struct Set {
    pub(crate) krate: Path,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) enum_token: Token![enum],
    pub(crate) ident: Ident,
    /// Generic parameters. The macro rejects them, but keeps them in the output to avoid a second compiler error.
    pub(crate) generics: Generics,
    pub(crate) variants: Vec<Variant>,
    /// Attributes of the enum that `#[elicits]` does not allow.
    pub(crate) misplaced: Vec<Attribute>,
}

impl Set {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, attr: TokenStream, item: ItemEnum) -> Self {
        let entries = KEYS.read(errors, [attr]);
        let krate = entries.first().and_then(|entry| entry.krate(errors)).unwrap_or_else(keys::runtime);
        let (misplaced, attrs): (Vec<_>, Vec<_>) = item.attrs.into_iter().partition(is_misplaced);
        let params = generics::names(&item.generics);
        let beside = OtherDerives::of(&attrs);
        let read = |variant| Variant::read(errors, variant, &item.vis, &params, beside);
        let variants = item.variants.into_iter().map(read).collect();
        Self {
            krate,
            attrs,
            vis: item.vis,
            enum_token: item.enum_token,
            ident: item.ident,
            generics: item.generics,
            variants,
            misplaced,
        }
    }

    /// Returns the name of the trait that an application implements to answer the forms.
    pub(crate) fn handler(&self) -> Ident {
        format_ident!("{}Handler", self.ident.unraw(), span = self.ident.span())
    }
}

fn is_misplaced(attr: &Attribute) -> bool {
    attr.path().is_ident("elicit") || attr.path().segments.last().is_some_and(|last| last.ident == "elicits")
}
