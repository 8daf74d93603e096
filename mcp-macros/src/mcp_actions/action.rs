//! Parses one action.

use proc_macro2::Span;
use syn::{FnArg, ImplItemFn, LitStr, ReturnType, Signature, Type, parse_quote_spanned};

use super::{action_attr::ActionAttr, alias::Alias, hint};
use crate::{
    docs,
    errors::Errors,
    tool::{self, Interface, Origin, Param, ToolAttr, receiver::is_shared},
    types,
};

pub(crate) struct Action {
    pub(crate) interface: Interface,
    /// The author's signature, without the attributes that only the macro reads.
    pub(crate) sig: Signature,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) is_list: bool,
    /// The place of the key `run`, if the action runs in the background.
    pub(crate) run: Option<Span>,
    /// Pairs of a parameter's name and the parameter's hint.
    pub(crate) hints: Vec<(LitStr, LitStr)>,
}

impl Action {
    /// Parses a method, and removes the attributes that only the macro reads. Returns `None` if the method is not an
    /// action or takes no `self`. `this` is the type of the `impl` block.
    pub(crate) fn take(errors: &mut Errors, function: &mut ImplItemFn, this: &Type) -> Option<Self> {
        let ActionAttr { name, description, aliases, is_list, run } = ActionAttr::take(errors, &mut function.attrs)?;
        let sig = &mut function.sig;
        match sig.receiver() {
            None => errors.push(&sig.ident, "an action takes `&self`; add it, or remove `#[action]`"),
            Some(receiver) if !is_shared(receiver) => {
                errors.push(receiver, "an action must take `&self`, because calls that run at the same time share it");
            }
            Some(_) => {}
        }
        let description = description.or_else(|| docs::text(&function.attrs));
        let (params, hints) = params(errors, sig, this);
        let output = match &sig.output {
            ReturnType::Default => parse_quote_spanned!(sig.ident.span()=> ()),
            ReturnType::Type(_, output) => types::named(output, this),
        };
        for input in &mut sig.inputs {
            if let FnArg::Typed(typed) = input {
                typed.attrs.retain(|attr| !attr.path().is_ident("param"));
            }
        }
        let has_self = sig.receiver().is_some();
        tool::strip(sig);
        let attr = ToolAttr { name, ..ToolAttr::default() };
        let interface =
            Interface { attr, origin: Origin::Method, ident: sig.ident.clone(), description, params, output };
        has_self.then(|| Self { interface, sig: sig.clone(), aliases, is_list, run, hints })
    }
}

/// Returns the parameters, and the hints of those that have one.
fn params(errors: &mut Errors, sig: &Signature, this: &Type) -> (Vec<Param>, Vec<(LitStr, LitStr)>) {
    let (mut params, mut hints) = (Vec::new(), Vec::new());
    for input in &sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let mut typed = typed.clone();
        *typed.ty = types::named(&typed.ty, this);
        let hint = hint::take(errors, &mut typed);
        let Some(param) = Param::read(errors, &typed) else { continue };
        if let (Param::Value(value), Some(hint)) = (&param, hint) {
            hints.push((value.wire_name(), hint));
        }
        params.push(param);
    }
    (params, hints)
}
