//! Rejects generic parameters.

use syn::{GenericParam, Generics, Ident, TypeParamBound, parse_quote};

use crate::errors::Errors;

/// Rejects all generic parameters, because the item `owner` has one schema, which is fixed at compile time.
pub(crate) fn refuse(errors: &mut Errors, generics: &Generics, owner: &str) {
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(_) => {
                errors.push(
                    param,
                    format_args!(
                        "{owner} cannot have lifetime parameters; remove this one, and write `String` instead of `&str`"
                    ),
                );
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors.push(
                    param,
                    format_args!("{owner} cannot be generic, because its schema is fixed; write a concrete type"),
                );
            }
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.push(clause, format_args!("{owner} cannot have a `where` clause; remove it"));
    }
}

/// Returns the names of the generic parameters.
pub(crate) fn names(generics: &Generics) -> Vec<&Ident> {
    generics.params.iter().map(name).collect()
}

fn name(param: &GenericParam) -> &Ident {
    match param {
        GenericParam::Lifetime(lifetime) => &lifetime.lifetime.ident,
        GenericParam::Type(ty) => &ty.ident,
        GenericParam::Const(constant) => &constant.ident,
    }
}

/// Adds the bounds that the generated impls need, so that the compiler reports no further error for a rejected type.
pub(crate) fn bounded(mut generics: Generics) -> Generics {
    for param in &mut generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => lifetime.bounds.push(parse_quote!('static)),
            GenericParam::Type(ty) => {
                ty.bounds.extend([parse_quote!(::core::marker::Send), parse_quote!('static)] as [TypeParamBound; 2]);
            }
            GenericParam::Const(_) => {}
        }
    }
    generics
}
