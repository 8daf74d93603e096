//! Recognizes types of well-known crates by name, to choose the error message for a type that cannot be an argument. A
//! trait, not this module, decides whether a type can be an argument.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::{Ident, Type};

use crate::types;

/// A crate whose types have a schema only if a feature of `schemars` is enabled.
struct Foreign {
    krate: &'static str,
    /// Types of the crate whose names are rare in other crates.
    types: &'static [&'static str],
    /// The name of the trait whose error message is shown for the crate's types.
    verdict: &'static str,
}

const FOREIGN: &[Foreign] = &[
    Foreign { krate: "bytes", types: &[], verdict: "OfBytes" },
    Foreign { krate: "chrono", types: &["NaiveDate", "NaiveDateTime", "NaiveTime", "DateTime"], verdict: "OfChrono" },
    Foreign { krate: "jiff", types: &["Zoned"], verdict: "OfJiff" },
    Foreign { krate: "rust_decimal", types: &["Decimal"], verdict: "OfDecimal" },
    Foreign { krate: "semver", types: &["VersionReq"], verdict: "OfSemver" },
    Foreign { krate: "url", types: &["Url"], verdict: "OfUrl" },
    Foreign { krate: "uuid", types: &["Uuid"], verdict: "OfUuid" },
];

/// Returns the trait whose error message names the crate that `ty` seems to come from. If the path of `ty` names a
/// known crate, the message names that crate. Otherwise the name of the type suggests the crate.
pub(super) fn verdict(ty: &Type) -> Option<TokenStream> {
    let has = |is: &dyn Fn(&Ident) -> bool| types::has_word(ty.to_token_stream(), is);
    let by_crate = FOREIGN.iter().find(|foreign| has(&|word| word == foreign.krate));
    let by_type = || FOREIGN.iter().find(|foreign| has(&|word| foreign.types.iter().any(|known| word == known)));
    let verdict = format_ident!("{}", by_crate.or_else(by_type)?.verdict);
    Some(verdict.to_token_stream())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_a_crate_by_its_path_or_its_types() {
        for (ty, expected) in [
            ("chrono::NaiveDate", Some("OfChrono")),
            ("Option<DateTime<Utc>>", Some("OfChrono")),
            ("jiff::civil::DateTime", Some("OfJiff")),
            ("Vec<Uuid>", Some("OfUuid")),
            ("semver::Version", Some("OfSemver")),
            ("Version", None),
            ("String", None),
        ] {
            let parsed = syn::parse_str(ty).expect("a type");
            assert_eq!(verdict(&parsed).map(|words| words.to_string()).as_deref(), expected, "{ty}");
        }
    }
}
