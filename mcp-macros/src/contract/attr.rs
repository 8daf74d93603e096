//! Parses `#[contract(…)]`.

use proc_macro2::TokenStream;
use syn::{Expr, LitStr, Path};

use crate::{
    errors::Errors,
    keys::{self, Keys},
};

const KEYS: Keys = Keys {
    owner: "`#[contract]`",
    known: &["resource", "description", "crate"],
    repeatable: &[],
    refused: &[("name", "the key is `resource`; write `resource = \"…\"`")],
};

/// The parsed `#[contract(…)]`. Invalid parts were reported and are absent.
pub(crate) struct ContractAttr {
    pub(crate) resource: Option<LitStr>,
    /// Whether the key `resource` is present, even if its value is invalid.
    pub(crate) has_resource: bool,
    pub(crate) description: Option<Expr>,
    /// The path of the runtime crate.
    pub(crate) krate: Path,
}

impl ContractAttr {
    pub(crate) fn read(errors: &mut Errors, attr: TokenStream) -> Self {
        let mistakes = errors.count();
        let mut read = Self { resource: None, has_resource: false, description: None, krate: keys::runtime() };
        for entry in KEYS.read(errors, [attr]) {
            match &*entry.key.to_string() {
                "resource" => {
                    read.has_resource = true;
                    read.resource = entry.text(errors);
                }
                "description" => read.description = entry.long_text(errors),
                "crate" => read.krate = entry.krate(errors).unwrap_or(read.krate),
                key => unreachable!("the key `{key}` is known but not handled"),
            }
        }
        // A misspelled key is often `resource`, so a missing `resource` is not reported as a second mistake.
        read.has_resource |= errors.count() > mistakes;
        read
    }
}
