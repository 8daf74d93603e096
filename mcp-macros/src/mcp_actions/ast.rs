//! Parses the attribute and the `impl` block as one tool with actions.

use syn::{Attribute, Ident, ImplItem, ItemImpl, Type, parse_quote};

use super::{action::Action, attr::ActionsAttr};
use crate::{
    docs,
    errors::Errors,
    tool::{Interface, Origin},
    types,
};

pub(crate) struct ActionBlock {
    /// The interface of the tool. It has no parameters, and its output is `()`.
    pub(crate) interface: Interface,
    pub(crate) attr: ActionsParts,
    /// The block to compile, without the attributes that only the macro reads.
    pub(crate) block: ItemImpl,
    pub(crate) actions: Vec<Action>,
    /// Whether the block has a method with `#[action]`, even an invalid one.
    pub(crate) has_actions: bool,
    /// All `#[mcp_actions]` attributes on this block except the first. The macro rejects them.
    pub(crate) marked_again: Vec<Attribute>,
}

/// The keys that only `#[mcp_actions]` accepts.
pub(crate) struct ActionsParts {
    pub(crate) instructions: Option<syn::Expr>,
    pub(crate) catalog: Option<proc_macro2::Span>,
}

impl ActionBlock {
    /// Parses the block. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, attr: ActionsAttr, mut block: ItemImpl) -> Self {
        let ActionsAttr { tool, instructions, catalog } = attr;
        let description = tool.description.clone().or_else(|| docs::text(&block.attrs));
        let ident = named_after(&block.self_ty);
        let is_actions =
            |attr: &mut Attribute| attr.path().segments.last().is_some_and(|last| last.ident == "mcp_actions");
        let marked_again = block.attrs.extract_if(.., is_actions).collect();
        let this = (*block.self_ty).clone();
        let (mut actions, mut has_actions) = (Vec::new(), false);
        for item in &mut block.items {
            if let ImplItem::Fn(function) = item {
                has_actions |= function.attrs.iter().any(|attr| attr.path().is_ident("action"));
                actions.extend(Action::take(errors, function, &this));
            }
        }
        let (params, output) = (Vec::new(), parse_quote!(()));
        let interface = Interface { attr: tool, origin: Origin::Actions, ident, description, params, output };
        let attr = ActionsParts { instructions, catalog };
        Self { interface, attr, block, actions, has_actions, marked_again }
    }
}

/// Returns the name of the type, without its path and its parameters.
fn named_after(this: &Type) -> Ident {
    match types::peel(this) {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
        _ => None,
    }
    .unwrap_or_else(|| Ident::new("actions", proc_macro2::Span::call_site()))
}
