//! Generates a placeholder for a tool with errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, parse2};

use super::{ast::ActionBlock, expand};
use crate::{errors::Errors, tool::expand as tool};

/// Returns the block, and a function `into_actions` whose result has no actions.
pub(crate) fn actions(block: &ActionBlock) -> TokenStream {
    if block.block.trait_.is_some() || !block.block.generics.params.is_empty() {
        return block.block.to_token_stream();
    }
    let krate = &block.interface.attr.krate;
    let verdicts = block
        .actions
        .iter()
        .map(|action| tool::verdicts(&action.sig.generics, &action.interface, tool::output, tool::SHARED));
    expand::with_into_actions(
        block,
        &quote! {
            use #krate::__private as _mcp;
            #(const _: () = { #verdicts };)*
            _mcp::Actions::new(_mcp::ActionSet::new(_mcp::ToolDefinition::new("", ""), ::std::vec::Vec::new()))
        },
    )
}

/// Reports an item that is not an `impl` block. The output of the macro still contains the item.
pub(crate) fn not_an_impl(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let message = "`#[mcp_actions]` belongs on the `impl` block with the methods that are actions";
    match parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) => {
            errors.push(function.sig.fn_token, format!("{message}; for a single function write `#[mcp_tool]`"));
        }
        Ok(Item::Struct(item)) => errors.push(item.struct_token, message),
        Ok(Item::Enum(item)) => errors.push(item.enum_token, message),
        Ok(Item::Trait(item)) => errors.push(item.trait_token, message),
        _ => errors.push(item.clone().into_iter().next().map(|token| token.to_token_stream()), message),
    }
    let errors = errors.finish().err();
    quote!(#errors #item)
}
