//! Rules on a whole form, one function each.

use super::{
    ast::{Derived, Form},
    names::wire_name,
    secret::looks_secret,
};
use crate::{errors::Errors, generics};

/// Checks a struct with `#[derive(Form)]`.
pub(crate) fn derived(errors: &mut Errors, derived: &Derived) {
    let form = &derived.form;
    generics::refuse(errors, &form.generics, "a form");
    if form.whole && form.fields.is_empty() {
        errors.push(&form.ident, "this form has no fields; add one");
    }
    fields(errors, form);
}

/// Checks the fields of a form. The form is a struct, or a variant of an enum with `#[elicits]`.
pub(crate) fn fields(errors: &mut Errors, form: &Form) {
    names_can_be_carried(errors, form);
    names_are_distinct(errors, form);
    nothing_is_secret(errors, form);
}

/// Rejects invalid names. The name of a field becomes the name of a JSON member, and clients in many languages must be
/// able to use it.
fn names_can_be_carried(errors: &mut Errors, form: &Form) {
    for field in &form.fields {
        let name = field.wire_name();
        if let Err(problem) = wire_name(&name.value()) {
            let mend = "write `#[elicit(rename = \"…\")]` with another name";
            errors.push(&name, problem.message("a field", &name.value(), mend));
        }
    }
}

fn names_are_distinct(errors: &mut Errors, form: &Form) {
    for (index, field) in form.fields.iter().enumerate() {
        let name = field.wire_name();
        if form.fields[..index].iter().any(|earlier| earlier.wire_name().value() == name.value()) {
            errors.push(&name, format_args!("two fields of this form are named `{}`; rename one", name.value()));
        }
    }
}

/// Rejects fields that look like secrets. The protocol does not allow forms to ask for passwords, keys, tokens or
/// payment data, because the client and its model can read the answers.
fn nothing_is_secret(errors: &mut Errors, form: &Form) {
    for field in form.fields.iter().filter(|field| !field.attr.not_secret) {
        let (name, own) = (field.wire_name(), field.ident.to_string());
        if let Some(words) = looks_secret(&name.value()).or_else(|| looks_secret(&own)) {
            let whole =
                words.chars().filter(|c| c.is_alphanumeric()).eq(name.value().chars().filter(|c| c.is_alphanumeric()));
            let because = if whole { String::new() } else { format!(" because of `{words}`") };
            errors.push(
                &name,
                format_args!(
                    "`{}` looks like a secret{because}; a form must not ask for a secret, because clients may store \
                     and show the answer; ask on your own web page with `ctx.elicit_url(…)`, \
                     or write `#[elicit(not_secret)]` if the field is not a secret",
                    name.value()
                ),
            );
        }
    }
}
