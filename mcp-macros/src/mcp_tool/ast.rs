//! What was meant: the attribute and the function it stands on, as one tool.

use proc_macro2::TokenStream;
use syn::{
    Attribute, Expr, FnArg, Ident, ReturnType, Signature, Type, Visibility,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    parse_quote,
};

use super::{
    attr::ToolAttr,
    param::{Param, Value},
};
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
    /// Further `#[mcp_tool]` on the same function.
    pub(crate) marked_again: Vec<Attribute>,
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
        self.attrs.retain(|attr| !is_mcp_tool(attr));
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

fn is_mcp_tool(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "mcp_tool")
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
        let marked_again = function.attrs.iter().filter(|attr| is_mcp_tool(attr)).cloned().collect();
        Self { attr, description, params, output, marked_again, function: function.stripped() }
    }

    /// What the client calls.
    pub(crate) fn wire_name(&self) -> String {
        match &self.attr.name {
            Some(name) => name.value(),
            None => self.function.sig.ident.unraw().to_string(),
        }
    }

    /// The parameters by value.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        self.params.iter().filter_map(|param| match param {
            Param::Value(value) => Some(&**value),
            Param::Reference(_) => None,
        })
    }

    /// The type under which the tool is registered: in the type namespace, where it leaves the function alone.
    pub(crate) fn registered(&self) -> &Ident {
        self.attr.register.as_ref().unwrap_or(&self.function.sig.ident)
    }
}
