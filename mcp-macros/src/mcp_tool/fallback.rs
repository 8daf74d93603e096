//! Generates a placeholder for a tool that has errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse2;

use super::{ast::Tool, expand};
use crate::{
    errors::Errors,
    scope::scope,
    tool::{argument, called, expand as shared},
    types,
};

/// Returns the function, and a tool that can be registered but not called. For a method, returns only the method,
/// because an `impl` block cannot contain the items of a tool.
pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let (function, name, krate) = (&tool.function, tool.interface.registered(), &tool.interface.attr.krate);
    if function.sig.receiver().is_some() {
        return quote!(#function);
    }
    let registered = expand::registered(name, function);
    let verdicts = verdicts(tool);
    let with = called::fallback(&tool.interface, name, &function.vis, &function.sig.generics);
    let items = quote! {
        _mcp::fallback!(Tool [] #name);
        _mcp::entry!(Tool #name, ::core::stringify!(#name));
        #verdicts
        #with
    };
    let scope = scope(krate, &items);
    quote! {
        #function
        #registered
        #scope
    }
}

/// Returns the checks of the types without errors, so that one compilation shows all errors.
fn verdicts(tool: &Tool) -> TokenStream {
    if !tool.function.sig.generics.params.is_empty() {
        return TokenStream::new();
    }
    let values = tool.interface.values().filter(|value| value.sound).map(argument::verdicts);
    let references = shared::references(tool.interface.references());
    let output = types::borrow(&tool.interface.output).is_none().then(|| shared::output(&tool.interface));
    let asks_with = shared::asks_with(tool.interface.registered(), tool.interface.references());
    quote!(#(#values)* #references #output #asks_with)
}

/// Reports an item that is not a function. The output of the macro still contains the item.
pub(crate) fn not_a_function(mut errors: Errors, item: &TokenStream) -> TokenStream {
    match parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Impl(block)) => errors.push(block.impl_token, methods(&block)),
        Ok(item) => errors.push(kind(&item), NOT_A_FUNCTION),
        Err(_) => errors.push(item, NOT_A_FUNCTION),
    }
    let errors = errors.finish().err();
    quote!(#errors #item)
}

const NOT_A_FUNCTION: &str = "`#[mcp_tool]` belongs on an `async fn`";

/// Returns the message that shows how to turn the methods of a block into tools.
fn methods(block: &syn::ItemImpl) -> String {
    let ty = types::plain(&block.self_ty);
    let methods = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(method) if method.sig.receiver().is_some() => Some(&method.sig.ident),
        _ => None,
    });
    let name = methods.map(ToString::to_string).next().unwrap_or_else(|| "search".to_owned());
    format!(
        "{NOT_A_FUNCTION}, not on an `impl` block; turn each method into a function that takes a parameter instead of \
         `&self`: `async fn {name}(state: &{ty}, …)`; then add the value of the parameter with `Server::state`"
    )
}

/// Returns the keyword of an item.
pub(crate) fn kind(item: &syn::Item) -> TokenStream {
    match item {
        syn::Item::Struct(item) => item.struct_token.to_token_stream(),
        syn::Item::Enum(item) => item.enum_token.to_token_stream(),
        syn::Item::Impl(item) => item.impl_token.to_token_stream(),
        syn::Item::Trait(item) => item.trait_token.to_token_stream(),
        syn::Item::Mod(item) => item.mod_token.to_token_stream(),
        other => other.to_token_stream(),
    }
}
