//! Generic parameters, where none can be.

use syn::{GenericParam, Generics, Ident, TypeParamBound, parse_quote};

use crate::errors::Errors;

/// Refuses all of them. `owner` has one schema, which is known before any type could be filled in.
pub(crate) fn refuse(errors: &mut Errors, generics: &Generics, owner: &str) {
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(_) => {
                errors.push(
                    param,
                    format_args!("{owner} has no lifetimes: answers are owned; write `String` for `&str`"),
                );
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors.push(
                    param,
                    format_args!("{owner} is not generic: its schema is fixed at compile time; name the type"),
                );
            }
        }
    }
    if let Some(clause) = &generics.where_clause {
        errors.push(clause, format_args!("{owner} is not generic, so it has no `where` clause; remove it"));
    }
}

/// The names of the parameters.
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

/// The same with the bounds that let a refused type have all impls it would have: nothing else is reported of it.
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
