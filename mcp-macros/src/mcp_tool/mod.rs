//! `#[mcp_tool]` turns an `async fn` into a tool.

pub(crate) mod ast;
mod check;
pub(crate) mod expand;
pub(crate) mod fallback;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse2;

use self::ast::{Function, Tool};
use crate::{errors::Errors, tool::ToolAttr};

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ToolAttr::of_function(&mut errors, attr);
    let Ok(function) = parse2::<Function>(item.clone()) else {
        return fallback::not_a_function(errors, item);
    };
    let tool = Tool::new(&mut errors, attr, function);
    check::tool(&mut errors, &tool);
    match errors.finish() {
        Ok(()) => expand::tool(&tool),
        Err(errors) => {
            let tool = fallback::tool(&tool);
            quote!(#errors #tool)
        }
    }
}
