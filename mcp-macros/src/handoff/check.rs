//! Rules on the whole handoff, one function each.

use syn::GenericParam;

use super::ast::Handoff;
use crate::{errors::Errors, tool::check};

pub(crate) fn handoff(errors: &mut Errors, handoff: &Handoff) {
    is_marked_once(errors, handoff);
    is_of_the_type_itself(errors, handoff);
    is_not_generic(errors, handoff);
    if handoff.of_trait.is_none() {
        check::interface(errors, &handoff.interface);
    }
}

/// Rejects a second attribute, because it would generate a second tool for the same type.
fn is_marked_once(errors: &mut Errors, handoff: &Handoff) {
    for attr in &handoff.marked_again {
        errors.push(attr, "`#[handoff]` is given twice; keep one");
    }
}

/// Rejects `impl Trait for Type`. The phases are methods of the type itself, so that tests can call them.
fn is_of_the_type_itself(errors: &mut Errors, handoff: &Handoff) {
    if let Some(of_trait) = &handoff.of_trait {
        let name = &handoff.interface.ident;
        errors.push(
            of_trait,
            format_args!(
                "the phases must be methods of the type, not of a trait; write `#[handoff] impl {name} {{ … }}`"
            ),
        );
    }
}

/// Rejects generic parameters, because a tool has one schema.
fn is_not_generic(errors: &mut Errors, handoff: &Handoff) {
    let generics = &handoff.block.generics;
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => {
                errors.push(lifetime, "the type of a tool cannot have lifetimes; use owned data");
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors.push(
                    param,
                    "a handoff cannot be generic, because it is one tool with one schema; write a concrete type",
                );
            }
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.push(clause, "a handoff cannot have a `where` clause; remove it");
    }
}
