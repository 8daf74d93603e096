//! Rules for a whole enum of tools, one function each.

use super::ast::Set;
use crate::{errors::Errors, generics, tool::check};

pub(crate) fn set(errors: &mut Errors, set: &Set) {
    generics::refuse(errors, &set.generics, "a set of tools");
    for variant in &set.variants {
        if variant.description.is_some() || !variant.is_misread {
            check::described(errors, &variant.ident, variant.description.as_ref(), "");
        }
        check::arguments(errors, variant.values.iter());
    }
    names_are_accepted_by_models(errors, set);
    names_are_distinct(errors, set);
}

/// Rejects invalid names. If one name is invalid, the API of the model rejects the whole request.
fn names_are_accepted_by_models(errors: &mut Errors, set: &Set) {
    for variant in &set.variants {
        let name = variant.name.value();
        let mend = if variant.is_named { "" } else { "; write `#[tool(name = \"…\")]` with another name" };
        if name.is_empty() {
            errors.push(&variant.name, "the name of this tool is empty; remove `name` to use the name of the variant");
        } else if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')) {
            let odd = if odd == ' ' { "spaces".to_owned() } else { format!("`{odd}`") };
            errors.push(
                &variant.name,
                format_args!(
                    "the name of a tool cannot contain {odd}; allowed are ASCII letters, digits, `_` and `-`{mend}"
                ),
            );
        } else if name.len() > 64 {
            errors.push(
                &variant.name,
                format_args!(
                    "the name of a tool can have at most 64 characters, but this one has {}{mend}",
                    name.len()
                ),
            );
        }
    }
}

/// Rejects two tools with the same name, because a call contains only the name. The compiler itself reports two
/// variants with the same identifier.
fn names_are_distinct(errors: &mut Errors, set: &Set) {
    for (index, variant) in set.variants.iter().enumerate() {
        let name = variant.name.value();
        let mut earlier = set.variants[..index].iter();
        if earlier.any(|earlier| earlier.name.value() == name && earlier.ident != variant.ident) {
            errors.push(
                &variant.name,
                format_args!("two tools are named `{name}`; write `#[tool(name = \"…\")]` on one"),
            );
        }
    }
}
