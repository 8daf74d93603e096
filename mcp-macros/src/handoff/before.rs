//! Parses `before`, which takes the arguments and returns the handoff.

use proc_macro2::Ident;
use syn::{Signature, Type};

use super::phase;
use crate::{errors::Errors, tool::Param, types};

pub(crate) struct Before {
    pub(crate) ident: Ident,
    /// Whether `before` takes `&self`.
    pub(crate) receiver: bool,
    pub(crate) output: Type,
}

impl Before {
    /// Parses the phase `before` and its parameters. These are the parameters of the tool.
    pub(crate) fn read(errors: &mut Errors, sig: &Signature, this: &Type) -> (Self, Vec<Param>) {
        let (receiver, params) = phase::params(errors, sig);
        let params = params.into_iter().filter_map(|param| {
            let mut param = param.clone();
            *param.ty = types::named(&param.ty, this);
            Param::read(errors, &param)
        });
        let params = params.collect();
        (Self { ident: sig.ident.clone(), receiver, output: phase::output(sig, this) }, params)
    }
}
