//! What stands in for a tool with mistakes, so that they are not reported again elsewhere.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse2;

use super::{ast::Function, attr::ToolAttr, expand};
use crate::errors::Errors;

/// A tool that registers and does nothing, beside the function. Nothing beside a method, which has no place for it.
pub(crate) fn tool(attr: &ToolAttr, function: &Function) -> TokenStream {
    if function.sig.receiver().is_some() {
        return TokenStream::new();
    }
    let name = attr.register.as_ref().unwrap_or(&function.sig.ident);
    let registered = expand::registered(name, function);
    let krate = &attr.krate;
    quote! {
        #registered
        const _: () = {
            use #krate::__private as _mcp;
            _mcp::fallback!(#name);
        };
    }
}

/// Anything but a function: left alone.
pub(crate) fn not_a_function(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let message = "`#[mcp_tool]` stands on an `async fn`";
    match parse2::<syn::Item>(item.clone()) {
        Ok(item) => errors.push(kind(&item), message),
        Err(_) => errors.push(item, message),
    }
    let errors = errors.finish().err();
    quote!(#errors #item)
}

/// The word that says what an item is.
fn kind(item: &syn::Item) -> TokenStream {
    match item {
        syn::Item::Struct(item) => item.struct_token.to_token_stream(),
        syn::Item::Enum(item) => item.enum_token.to_token_stream(),
        syn::Item::Impl(item) => item.impl_token.to_token_stream(),
        syn::Item::Trait(item) => item.trait_token.to_token_stream(),
        syn::Item::Mod(item) => item.mod_token.to_token_stream(),
        other => other.to_token_stream(),
    }
}
