//! Parses the attribute and the function as a tool.

use proc_macro2::TokenStream;
use syn::{
    Attribute, FnArg, ReturnType, Signature, Type, Visibility,
    parse::{Parse, ParseStream},
    parse_quote,
};

use crate::{
    docs,
    errors::Errors,
    tool::{self, Interface, Origin, Param, ToolAttr},
};

/// A function. The macro copies the body unchanged, without parsing it.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
}

pub(crate) struct Tool {
    pub(crate) interface: Interface,
    pub(crate) function: Function,
    /// All `#[mcp_tool]` attributes on this function except the first. The macro rejects them.
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
    /// Returns the type that the function returns.
    pub(crate) fn output(&self) -> Type {
        match &self.sig.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, output) => (**output).clone(),
        }
    }

    /// Returns the function to compile, without the attributes that only the macro reads.
    pub(crate) fn stripped(mut self) -> Self {
        self.attrs.retain(|attr| {
            !["mcp_tool", "mcp_prompt", "mcp_resource", "mcp_view"].iter().any(|name| is_named(attr, name))
        });
        tool::strip(&mut self.sig);
        self
    }
}

/// Returns whether the last segment of the attribute's path is `name`.
pub(crate) fn is_named(attr: &Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == name)
}

impl Tool {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, attr: ToolAttr, function: Function) -> Self {
        let description = attr.description.clone().or_else(|| docs::text(&function.attrs));
        let params = function.sig.inputs.iter().filter_map(|input| param(errors, input)).collect();
        let output = function.output();
        let ident = function.sig.ident.clone();
        let interface = Interface { attr, origin: Origin::Function, ident, description, params, output };
        let marked_again = function.attrs.iter().filter(|attr| is_named(attr, "mcp_tool")).cloned().collect();
        Self { interface, marked_again, function: function.stripped() }
    }
}

fn param(errors: &mut Errors, input: &FnArg) -> Option<Param> {
    match input {
        FnArg::Receiver(receiver) => {
            errors
                .push(receiver, "a tool cannot take `self`; take shared state as a parameter by reference: `db: &Db`");
            None
        }
        FnArg::Typed(typed) => Param::read(errors, typed),
    }
}
