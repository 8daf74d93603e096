//! Generates a placeholder for a resource that has errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Item, ReturnType, parse2};

use super::{ast::Resource, expand};
use crate::{
    errors::Errors,
    mcp_prompt::expand::input,
    mcp_tool::{expand::registered, fallback::kind},
    scope::scope,
    tool, types,
};

/// Returns the function, and a resource that can be registered but not read. For a method, returns only the method,
/// because an `impl` block cannot contain the items of a resource.
pub(super) fn resource(resource: &Resource) -> TokenStream {
    let (function, name) = (&resource.function, resource.interface.registered());
    if function.sig.receiver().is_some() {
        return quote!(#function);
    }
    let registered = registered(name, function);
    // The page may be what has errors, so the placeholder has another one.
    let view = resource.attr.page.as_ref().map(|_| view(name));
    let verdicts = verdicts(resource);
    let list = expand::check_of_list(resource);
    let items = quote! {
        _mcp::fallback!(Resource [] #name);
        _mcp::entry!(Resource #name, ::core::stringify!(#name));
        #list
        #view
        #verdicts
    };
    let scope = scope(&resource.interface.attr.krate, &items);
    quote! {
        #function
        #registered
        #scope
    }
}

/// Returns a view without a page.
fn view(name: &Ident) -> TokenStream {
    quote! {
        const __VIEW: &_mcp::ViewDefinition = &_mcp::view_definition("", "", "");
        impl _mcp::View for #name {
            const DEFINITION: &'static _mcp::ViewDefinition = __VIEW;
        }
    }
}

/// Returns the checks of the types in which the macro found no error, so that one compilation shows all errors.
fn verdicts(resource: &Resource) -> TokenStream {
    let function = &resource.function;
    if !function.sig.generics.params.is_empty() {
        return TokenStream::new();
    }
    let sound = resource.variables.iter().enumerate().filter(|(_, variable)| variable.is_sound);
    let inputs = sound.map(input);
    let references = tool::expand::references(resource.interface.references());
    let output = (!matches!(function.sig.output, ReturnType::Default)
        && types::borrow(&resource.interface.output).is_none())
    .then(|| expand::output(resource));
    quote!(#(#inputs)* #references #output)
}

/// Reports an item that is not a function. The output of the macro still contains the item.
pub(super) fn not_a_function(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let place = parse2::<Item>(item.clone()).map_or_else(|_| item.clone(), |item| kind(&item));
    errors.push(place, "`#[mcp_resource]` belongs on an `async fn`");
    let errors = errors.finish().err();
    quote!(#errors #item)
}
