//! Parses `client`, which talks with the client and cannot access the server.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{FnArg, Signature, Type};

use super::phase;
use crate::{
    errors::Errors,
    types::{self, Borrow, plain},
};

pub(crate) struct Client {
    pub(crate) ident: Ident,
    /// The types that `client` takes by reference, in the order of its signature: the context, the handoff, or both.
    pub(crate) takes: Vec<Type>,
    pub(crate) output: Type,
}

impl Client {
    pub(crate) fn read(errors: &mut Errors, sig: &Signature, this: &Type, handoff: Option<&Type>) -> Self {
        let mistakes = errors.count();
        let mut takes = Vec::new();
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(receiver) => errors.push(
                    receiver,
                    "`client` cannot take `self`, because it has no access to the server; \
                     let `before` put the data for `client` into the handoff",
                ),
                FnArg::Typed(param) => {
                    phase::takes_no_attributes(errors, param);
                    takes.extend(taken(errors, &types::named(&param.ty, this), handoff));
                }
            }
        }
        let is_handoff = |ty: &Type| handoff.is_some_and(|handoff| same(ty, handoff));
        if errors.count() == mistakes && takes.iter().all(is_handoff) {
            errors.push(
                &sig.ident,
                "`client` needs a context to ask the client; write `client(ctx: &Ctx<YourForms>, …)`",
            );
        }
        Self { ident: sig.ident.clone(), takes, output: phase::output(sig, this) }
    }
}

/// Returns `T` if the type of the parameter is a valid `&T`. Otherwise reports an error.
fn taken(errors: &mut Errors, ty: &Type, handoff: Option<&Type>) -> Option<Type> {
    let Type::Reference(reference) = types::peel(ty) else {
        let name = plain(ty);
        if types::is_named(ty, "Ctx") {
            errors.push(ty, format_args!("the context must be taken by reference; write `&{name}`"));
        } else if handoff.is_some_and(|handoff| same(ty, handoff)) {
            errors.push(
                ty,
                format_args!("`client` must borrow the handoff, because `after` needs it later; write `&{name}`"),
            );
        } else {
            errors.push(
                ty,
                "`client` can take only its context and the handoff; \
                 `before` must take the arguments from the model and put them into the handoff",
            );
        }
        return None;
    };
    let elem = types::peel(&reference.elem);
    if reference.mutability.is_some() {
        let name = plain(elem);
        let problem = if types::is_context(elem) {
            format!("the context cannot be taken by `&mut`, and its methods need only `&`; write `&{name}`")
        } else {
            format!("`client` cannot change the handoff, because `client` can run again; write `&{name}`")
        };
        errors.push(ty, problem);
        return None;
    }
    if types::borrow(elem) == Some(Borrow::Impl) {
        errors.push(ty, "the type of a parameter cannot contain `impl`; write a concrete type");
        return None;
    }
    Some(elem.clone())
}

/// Returns whether two types have the same tokens. Only messages depend on the result.
pub(crate) fn same(one: &Type, other: &Type) -> bool {
    types::peel(one).to_token_stream().to_string() == types::peel(other).to_token_stream().to_string()
}
