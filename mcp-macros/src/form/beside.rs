//! Attributes by which other macros describe data: a form does not follow them.

use quote::ToTokens;
use syn::{Attribute, Path, Token, punctuated::Punctuated};

use crate::errors::Errors;

/// Whose attributes have a reader beside the form.
#[derive(Clone, Copy)]
pub(crate) struct Beside {
    serde: bool,
    schemars: bool,
}

impl Beside {
    /// What stands beside a derive it cannot see. Where nobody reads an attribute, `rustc` says so.
    pub(crate) const A_DERIVE: Self = Self { serde: true, schemars: true };

    /// The derives among the attributes of a set.
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
        let parsed =
            derives.filter_map(|attr| attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok());
        let names: Vec<_> =
            parsed.flatten().filter_map(|path| path.segments.last().map(|last| last.ident.to_string())).collect();
        let derives = |derive: &str| names.iter().any(|name| name == derive);
        Self { serde: derives("Serialize") || derives("Deserialize"), schemars: derives("JsonSchema") }
    }

    /// Whether somebody else reads the attribute. Those of schemars follow serde's.
    pub(crate) fn reads(self, attr: &Attribute) -> bool {
        (attr.path().is_ident("serde") && (self.serde || self.schemars))
            || (attr.path().is_ident("schemars") && self.schemars)
    }

    /// Reports an attribute that nobody reads. `instead` is what to write.
    pub(crate) fn refuse(self, errors: &mut Errors, attr: &Attribute, instead: &str) {
        let name = attr.path().to_token_stream();
        if ["serde", "schemars"].iter().any(|name| attr.path().is_ident(name)) && !self.reads(attr) {
            errors.push(attr, format_args!("`#[{name}]` says nothing to a form; {instead}"));
        } else if attr.path().is_ident("choice") {
            errors.push(attr, format_args!("`#[choice]` stands on the variants of a `#[derive(Choice)]`; {instead}"));
        }
    }
}
