//! Parses the attribute and the function as a resource.

use syn::{Attribute, FnArg, Ident, Pat, Type};

use super::attr::ResourceAttr;
use crate::{
    docs,
    errors::Errors,
    mcp_prompt::{
        argument::Argument,
        ast::{TextNoun, text_parameters},
    },
    mcp_tool::ast::{Function, is_named},
    tool::{Interface, Origin},
    types,
};

pub(super) struct Resource {
    pub(super) attr: ResourceAttr,
    /// The parts that resources share with tools. The parameters that the function takes by value are the variables of
    /// the URI.
    pub(super) interface: Interface,
    pub(super) variables: Vec<Argument>,
    /// The names of the parameters with the type `&str`. The macro rejects these parameters.
    pub(super) refused: Vec<Ident>,
    pub(super) function: Function,
    /// All `#[mcp_resource]` or `#[mcp_view]` attributes on this function except the first. The macro rejects them.
    pub(super) marked_again: Vec<Attribute>,
}

impl Resource {
    /// Parses the item. Invalid parts are reported and left out.
    pub(super) fn new(errors: &mut Errors, mut attr: ResourceAttr, function: Function) -> Self {
        let shared = std::mem::take(&mut attr.shared);
        let description = shared.description.clone().or_else(|| docs::text(&function.attrs));
        let (params, variables) = text_parameters(errors, &function.sig, TextNoun::RESOURCE);
        let refused = function.sig.inputs.iter().filter_map(borrowed_text).cloned().collect();
        let output = function.output();
        let ident = function.sig.ident.clone();
        let interface = Interface { attr: shared, origin: Origin::Function, ident, description, params, output };
        let name = if attr.page.is_some() { "mcp_view" } else { "mcp_resource" };
        let marked_again = function.attrs.iter().filter(|attr| is_named(attr, name)).cloned().collect();
        Self { attr, interface, variables, refused, marked_again, function: function.stripped() }
    }
}

/// Returns the name of a parameter of the type `&str`.
fn borrowed_text(input: &FnArg) -> Option<&Ident> {
    match input {
        FnArg::Typed(typed) => match (&*typed.pat, types::peel(&typed.ty)) {
            (Pat::Ident(name), Type::Reference(reference)) => {
                types::is_named(types::peel(&reference.elem), "str").then_some(&name.ident)
            }
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}
