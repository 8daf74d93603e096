//! `#[mcp_prompt]` turns an `async fn` into a prompt.

pub(crate) mod argument;
pub(crate) mod ast;
mod check;
pub(crate) mod expand;
mod fallback;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse2;

use self::ast::Prompt;
use crate::{errors::Errors, mcp_tool::ast::Function, tool::ToolAttr};

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ToolAttr::of_prompt(&mut errors, attr);
    let Ok(function) = parse2::<Function>(item.clone()) else {
        return fallback::not_a_function(errors, item);
    };
    let prompt = Prompt::new(&mut errors, attr, function);
    check::prompt(&mut errors, &prompt);
    match errors.finish() {
        Ok(()) => expand::prompt(&prompt),
        Err(errors) => {
            let prompt = fallback::prompt(&prompt);
            quote!(#errors #prompt)
        }
    }
}
