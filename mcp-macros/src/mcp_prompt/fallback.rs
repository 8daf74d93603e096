//! Generates a placeholder for a prompt that has errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, ReturnType, parse2};

use super::{ast::Prompt, expand};
use crate::{
    errors::Errors,
    mcp_tool::{expand::registered, fallback::kind},
    scope::scope,
    tool, types,
};

/// Returns the function, and a prompt that can be registered but not called. For a method, returns only the method,
/// because an `impl` block cannot contain the items of a prompt.
pub(crate) fn prompt(prompt: &Prompt) -> TokenStream {
    let (function, name) = (&prompt.function, prompt.interface.registered());
    if function.sig.receiver().is_some() {
        return quote!(#function);
    }
    let registered = registered(name, function);
    let verdicts = verdicts(prompt);
    let items = quote! {
        _mcp::fallback!(Prompt [] #name);
        _mcp::entry!(Prompt #name, ::core::stringify!(#name));
        #verdicts
    };
    let scope = scope(&prompt.interface.attr.krate, &items);
    quote! {
        #function
        #registered
        #scope
    }
}

/// Returns the checks of the types without errors, so that one compilation shows all errors.
fn verdicts(prompt: &Prompt) -> TokenStream {
    let function = &prompt.function;
    if !function.sig.generics.params.is_empty() {
        return TokenStream::new();
    }
    let sound = prompt.arguments.iter().enumerate().filter(|(_, argument)| argument.is_sound);
    let inputs = sound.map(expand::input);
    let references = tool::expand::references(prompt.interface.references());
    let output = (!matches!(function.sig.output, ReturnType::Default)
        && types::borrow(&prompt.interface.output).is_none())
    .then(|| expand::output(prompt));
    quote!(#(#inputs)* #references #output)
}

/// Reports an item that is not a function. The output of the macro still contains the item.
pub(crate) fn not_a_function(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let place = parse2::<Item>(item.clone()).map_or_else(|_| item.clone(), |item| kind(&item));
    errors.push(place, "`#[mcp_prompt]` belongs on an `async fn`");
    let errors = errors.finish().err();
    quote!(#errors #item)
}
