//! Handles attributes of serde and schemars. These attributes have no effect on forms.

use quote::ToTokens;
use syn::{Attribute, Path, Token, punctuated::Punctuated};

use crate::errors::Errors;

/// Says whether the author's type also has derives of serde or schemars, which read `#[serde]` and `#[schemars]`.
#[derive(Clone, Copy)]
pub(crate) struct OtherDerives {
    serde: bool,
    schemars: bool,
}

impl OtherDerives {
    /// The value for a derive macro. The macro cannot see other derives, so it assumes that both are present. `rustc`
    /// reports attributes that no derive reads.
    pub(crate) const UNKNOWN: Self = Self { serde: true, schemars: true };

    /// Finds the derives among the attributes of an enum with `#[elicits]`.
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
        let parsed =
            derives.filter_map(|attr| attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok());
        let names: Vec<_> =
            parsed.flatten().filter_map(|path| path.segments.last().map(|last| last.ident.to_string())).collect();
        let derives = |derive: &str| names.iter().any(|name| name == derive);
        Self { serde: derives("Serialize") || derives("Deserialize"), schemars: derives("JsonSchema") }
    }

    /// Returns whether another derive reads the attribute. schemars reads serde's attributes too.
    pub(crate) fn reads(self, attr: &Attribute) -> bool {
        (attr.path().is_ident("serde") && (self.serde || self.schemars))
            || (attr.path().is_ident("schemars") && self.schemars)
    }

    /// Reports an attribute `#[serde]` or `#[schemars]` that no derive reads. Also reports `#[choice]`. The text
    /// `instead` tells the author what to write.
    pub(crate) fn refuse(self, errors: &mut Errors, attr: &Attribute, instead: &str) {
        let name = attr.path().to_token_stream();
        if ["serde", "schemars"].iter().any(|name| attr.path().is_ident(name)) && !self.reads(attr) {
            errors.push(attr, format_args!("`#[{name}]` has no effect on a form; {instead}"));
        } else if attr.path().is_ident("choice") {
            errors.push(
                attr,
                format_args!("`#[choice]` belongs on the variants of an enum with `#[derive(Choice)]`; {instead}"),
            );
        }
    }
}
