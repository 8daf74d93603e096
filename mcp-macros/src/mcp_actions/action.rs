//! Parses one action.

use proc_macro2::Span;
use syn::{FnArg, Ident, ImplItemFn, LitStr, ReturnType, Signature, Type, parse_quote_spanned};

use super::{action_attr::ActionAttr, alias::Alias, param_attr::ParamAttr};
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
    /// Pairs of a parameter's name and of the parameter with the name of the catalog's entry.
    pub(crate) inputs: Vec<(LitStr, Ident)>,
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
        let DescribedParams { params, hints, inputs } = params(errors, sig, this);
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
        has_self.then(|| Self { interface, sig: sig.clone(), aliases, is_list, run, hints, inputs })
    }
}

impl Action {
    /// Returns the names of each parameter that holds the inputs of an entry, and of the parameter that names the entry.
    pub(crate) fn entry_inputs(&self) -> impl Iterator<Item = (&LitStr, LitStr)> {
        let named = |name: &Ident| self.interface.values().find(|value| value.ident == *name);
        self.inputs.iter().filter_map(move |(inputs, name)| Some((inputs, named(name)?.wire_name())))
    }
}

/// The parameters of an action, and what their attributes `#[param]` say.
#[derive(Default)]
struct DescribedParams {
    params: Vec<Param>,
    hints: Vec<(LitStr, LitStr)>,
    inputs: Vec<(LitStr, Ident)>,
}

fn params(errors: &mut Errors, sig: &Signature, this: &Type) -> DescribedParams {
    let mut described = DescribedParams::default();
    for input in &sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let mut typed = typed.clone();
        *typed.ty = types::named(&typed.ty, this);
        let ParamAttr { hint, inputs_of } = ParamAttr::take(errors, &mut typed);
        let Some(param) = Param::read(errors, &typed) else { continue };
        if let Param::Value(value) = &param {
            described.hints.extend(hint.map(|hint| (value.wire_name(), hint)));
            described.inputs.extend(inputs_of.map(|name| (value.wire_name(), name)));
        }
        described.params.push(param);
    }
    described
}
