//! Parses an enum as a set of tools.

use proc_macro2::TokenStream;
use syn::{Attribute, DeriveInput, Generics, Ident, Path};

use super::{beside, variant::Variant};
use crate::{
    errors::Errors,
    form, generics,
    keys::{self, Keys},
    variants,
};

const KEYS: Keys = Keys {
    owner: "`#[tool]` on an enum",
    known: &["crate"],
    repeatable: &[],
    refused: &[
        ("name", "each variant is a tool with its own name: write `#[tool(name = \"…\")]` on the variant"),
        ("description", "each variant is a tool with its own description: write a doc comment on the variant"),
    ],
};

pub(crate) struct Set {
    pub(crate) ident: Ident,
    /// Generic parameters. The macro rejects them, but keeps them in the output to avoid a second compiler error.
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    pub(crate) variants: Vec<Variant>,
}

impl Set {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, input: DeriveInput) -> Self {
        let lists = lists(errors, &input.attrs, "crate = …");
        let entries = KEYS.read(errors, lists);
        let krate = entries.first().and_then(|entry| entry.krate(errors)).unwrap_or_else(keys::runtime);
        let params = generics::names(&input.generics);
        let empty = "this set has no tools; add a variant";
        let other = "a set of tools must be an enum: each variant is a tool that a model may call";
        let variants = variants::of_enum(errors, &input, empty, other);
        let variants: Vec<_> = variants.map(|variant| Variant::read(errors, variant, &input.ident, &params)).collect();
        beside::of_set(errors, &input.attrs, &variants);
        Self { ident: input.ident, generics: input.generics, krate, variants }
    }

    /// Returns whether the macro can read every tool. If not, the compiler itself reports the error: two variants with
    /// the same name, or a type that a variant cannot contain.
    pub(crate) fn is_whole(&self) -> bool {
        let variants = &self.variants;
        let is_first = |index: usize| variants[..index].iter().all(|earlier| earlier.ident != variants[index].ident);
        variants.iter().enumerate().all(|(index, variant)| variant.whole && is_first(index))
    }
}

/// Returns the contents of `#[tool(…)]`.
pub(super) fn lists(errors: &mut Errors, attrs: &[Attribute], example: &str) -> Vec<TokenStream> {
    form::lists(errors, attrs, "tool", example)
}
