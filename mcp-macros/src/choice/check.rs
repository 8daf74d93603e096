//! Rules that concern all choices of an enum together.

use super::ast::{Choice, Variant};
use crate::{errors::Errors, generics};

pub(crate) fn choice(errors: &mut Errors, choice: &Choice) {
    generics::refuse(errors, &choice.generics, "a choice");
    names_are_distinct(errors, choice);
}

/// Rejects two choices with the same name, because an answer contains only the name.
fn names_are_distinct(errors: &mut Errors, choice: &Choice) {
    for (index, Variant { name, .. }) in choice.variants.iter().enumerate() {
        if choice.variants[..index].iter().any(|earlier| earlier.name.value() == name.value()) {
            errors.push(
                name,
                format_args!("two choices are named `{}`; write `#[choice(rename = \"…\")]` on one", name.value()),
            );
        }
    }
}
