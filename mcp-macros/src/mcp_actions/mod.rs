//! `#[mcp_actions]`: makes the methods of an `impl` block the actions of one tool.

mod action;
mod action_attr;
mod alias;
mod ast;
mod attr;
mod check;
mod expand;
mod fallback;
mod param_attr;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemImpl, parse2};

use self::{ast::ActionBlock, attr::ActionsAttr};
use crate::errors::Errors;

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ActionsAttr::read(&mut errors, attr);
    let Ok(block) = parse2::<ItemImpl>(item.clone()) else {
        return fallback::not_an_impl(errors, item);
    };
    let block = ActionBlock::new(&mut errors, attr, block);
    check::actions(&mut errors, &block);
    match errors.finish() {
        Ok(()) => expand::actions(&block),
        Err(errors) => {
            let block = fallback::actions(&block);
            quote!(#errors #block)
        }
    }
}
