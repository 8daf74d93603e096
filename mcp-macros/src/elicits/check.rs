//! Rules for a whole set of forms, one function each.

use quote::{ToTokens, quote};

use super::{
    ast::Set,
    variant::{Variant, VariantContent},
};
use crate::{
    errors::Errors,
    form::{check_fields, wire_name},
    generics,
};

/// The method that the handler of every set has.
const ELICIT_URL: &str = "elicit_url";

/// Checks the set of forms, and removes the parts whose errors the compiler would report again.
pub(crate) fn set(errors: &mut Errors, set: &mut Set) {
    attributes_have_a_place(errors, set);
    generics::refuse(errors, &set.generics, "a set of forms");
    has_forms(errors, set);
    variants_are_distinct(errors, set);
    structs_have_names_of_their_own(errors, set);
    forms_are_distinct(errors, set);
    methods_are_distinct(errors, set);
    keys_can_be_carried(errors, set);
    keys_are_distinct(errors, set);
    for variant in &set.variants {
        if let VariantContent::Form(form) = &variant.content {
            check_fields(errors, form);
        }
    }
}

fn attributes_have_a_place(errors: &mut Errors, set: &Set) {
    for attr in &set.misplaced {
        let message = match attr.path().is_ident("elicit") {
            true => "`#[elicit]` belongs on a variant or a field; a key for the whole set belongs in `#[elicits(…)]`",
            false => "`#[elicits]` is given twice; keep one",
        };
        errors.push(attr, message);
    }
}

fn has_forms(errors: &mut Errors, set: &Set) {
    if set.variants.is_empty() {
        errors.push(&set.ident, "this set has no forms; add a variant: `Confirm { confirmed: bool }`");
    }
}

fn variants_are_distinct(errors: &mut Errors, set: &mut Set) {
    let mut names = Vec::new();
    set.variants.retain(|variant| {
        let known = names.contains(&variant.ident);
        if known {
            errors
                .push(&variant.ident, format_args!("two forms of this set are named `{}`; rename one", variant.ident));
        }
        names.push(variant.ident.clone());
        !known
    });
}

/// Rejects a variant with the name of the enum or of its handler, because the variant becomes a struct in the same
/// module.
fn structs_have_names_of_their_own(errors: &mut Errors, set: &mut Set) {
    let taken = [set.ident.clone(), set.handler()];
    for Variant { ident, content, .. } in &mut set.variants {
        if matches!(content, VariantContent::Form(_)) && taken.contains(ident) {
            errors.push(
                &*ident,
                format_args!(
                    "this variant would become a struct `{ident}`, but the enum or its handler has that name; \
                     rename the variant"
                ),
            );
            *content = VariantContent::Refused(quote!(()));
        }
    }
}

/// Rejects a set that contains one type twice, because the server identifies a form by its type.
fn forms_are_distinct(errors: &mut Errors, set: &mut Set) {
    let mut forms: Vec<String> = Vec::new();
    for variant in &mut set.variants {
        let Some(form) = variant.form() else { continue };
        let name = form.to_token_stream().to_string();
        if forms.contains(&name) {
            errors.push(&form, format_args!("`{name}` is already a form of this set; remove this variant"));
            variant.content = VariantContent::Refused(quote!((#form)));
        }
        forms.push(name);
    }
}

/// Rejects a form whose method in the handler would have the name of the method for pages.
fn methods_are_distinct(errors: &mut Errors, set: &mut Set) {
    for variant in &mut set.variants {
        if variant.method() == ELICIT_URL {
            let message = "the handler of the set already has a method `elicit_url`, for pages; rename the variant";
            errors.push(&variant.ident, message);
            variant.content = VariantContent::Refused(quote!(()));
        }
    }
}

/// Rejects invalid keys. The key of a form becomes the name of a JSON member.
fn keys_can_be_carried(errors: &mut Errors, set: &Set) {
    for Variant { key, .. } in &set.variants {
        if let Err(problem) = wire_name(&key.value()) {
            errors
                .push(key, problem.message("a form", &key.value(), "write `#[elicit(key = \"…\")]` with another key"));
        }
    }
}

fn keys_are_distinct(errors: &mut Errors, set: &Set) {
    for (index, Variant { key, .. }) in set.variants.iter().enumerate() {
        if set.variants[..index].iter().any(|earlier| earlier.key.value() == key.value()) {
            errors.push(
                key,
                format_args!(
                    "two forms of this set have the key `{}`; write `#[elicit(key = \"…\")]` on one",
                    key.value()
                ),
            );
        }
    }
}
