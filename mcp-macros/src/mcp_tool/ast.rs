//! What was meant: the attribute and the function it stands on, as one tool.

use proc_macro2::TokenStream;
use syn::{
    Attribute, Expr, FnArg, Ident, ReturnType, Signature, Type, Visibility,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    parse_quote,
};

use super::{attr::ToolAttr, param::Param};
use crate::{docs, errors::Errors};

/// A function whose body nobody looks into: it is passed on as it was written.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
}

pub(crate) struct Tool {
    pub(crate) attr: ToolAttr,
    pub(crate) function: Function,
    pub(crate) description: Option<Expr>,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl Function {
    /// The function as it is compiled: without what the macro has read from its parameters.
    pub(crate) fn stripped(mut self) -> Self {
        for input in &mut self.sig.inputs {
            let attrs = match input {
                FnArg::Receiver(receiver) => &mut receiver.attrs,
                FnArg::Typed(typed) => &mut typed.attrs,
            };
            attrs.retain(|attr| {
                ["allow", "deny", "expect", "forbid", "warn"].iter().any(|lint| attr.path().is_ident(lint))
            });
        }
        self
    }
}

impl Tool {
    /// What could not be understood was reported and is absent.
    pub(crate) fn new(errors: &mut Errors, attr: ToolAttr, function: Function) -> Self {
        let description = attr.description.clone().or_else(|| docs::text(&function.attrs));
        let params = function.sig.inputs.iter().filter_map(|input| Param::read(errors, input)).collect();
        let output = match &function.sig.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, output) => (**output).clone(),
        };
        Self { attr, description, params, output, function: function.stripped() }
    }

    /// What the client calls.
    pub(crate) fn wire_name(&self) -> String {
        match &self.attr.name {
            Some(name) => name.value(),
            None => self.function.sig.ident.unraw().to_string(),
        }
    }

    /// The type under which the tool is registered: in the type namespace, where it leaves the function alone.
    pub(crate) fn registered(&self) -> &Ident {
        self.attr.register.as_ref().unwrap_or(&self.function.sig.ident)
    }
}
