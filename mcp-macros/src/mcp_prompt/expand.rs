//! Generates code for a valid prompt. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{argument::Argument, ast::Prompt};
use crate::{
    mcp_tool::expand::registered,
    scope::scope,
    spans::generated,
    tool::{expand, warnings},
};

pub(crate) fn prompt(prompt: &Prompt) -> TokenStream {
    let function = &prompt.function;
    let registered = registered(prompt.interface.registered(), function);
    let inputs = prompt.arguments.iter().enumerate().map(input);
    let names = prompt.arguments.iter().map(|argument| &argument.name);
    let references = expand::references(prompt.interface.references());
    let output = output(prompt);
    let implementation = implementation(prompt);
    let items = quote! {
        #(#inputs)*
        const __NAMES: &[&str] = &[#(#names),*];
        #references
        #output
        #implementation
    };
    let scope = scope(&prompt.interface.attr.krate, &items);
    let warnings = warnings::of_item(&prompt.interface);
    quote! {
        #function
        #registered
        #scope
        #warnings
    }
}

/// Returns the code of the constant that checks the type of an argument.
pub(crate) fn input((index, argument): (usize, &Argument)) -> TokenStream {
    let (name, ty) = (constant(index), &argument.ty);
    let input = quote_spanned!(ty.span()=> <#ty as _mcp::FromText>::INPUT);
    quote!(const #name: _mcp::TextInput<#ty> = #input;)
}

/// Returns the code of the constant that checks the output type of the prompt.
pub(crate) fn output(prompt: &Prompt) -> TokenStream {
    let output = &prompt.interface.output;
    let into_result = quote_spanned!(output.span()=> <#output as _mcp::PromptOutput>::INTO_RESULT);
    quote! {
        const __OUTPUT: fn(#output) -> ::core::result::Result<_mcp::GetPromptResult, _mcp::ToolError> = #into_result;
    }
}

fn constant(index: usize) -> Ident {
    format_ident!("__ARGUMENT_{index}")
}

fn implementation(prompt: &Prompt) -> TokenStream {
    let registered = prompt.interface.registered();
    let name = prompt.interface.wire_name();
    let definition = definition(prompt);
    // Hygienic names, so that the author's function can be named `call` or `arguments`.
    let [call, arguments] = ["call", "arguments"].map(|name| Ident::new(name, Span::mixed_site()));
    let body = body(prompt, &call, &arguments);
    quote! {
        impl _mcp::Prompt for #registered {
            fn definition(&self) -> _mcp::PromptDefinition {
                #definition
            }
            fn get(
                &self,
                #call: _mcp::Call,
                #arguments: _mcp::TextArguments<'_>,
            ) -> ::core::result::Result<_mcp::GetPromptFuture, _mcp::ArgumentsError> {
                #body
            }
        }
        _mcp::entry!(Prompt #registered, #name);
    }
}

fn definition(prompt: &Prompt) -> TokenStream {
    let interface = &prompt.interface;
    let (name, description) = (interface.wire_name(), interface.description.as_ref());
    let needs = expand::needs(interface.references());
    let title = interface.attr.title.as_ref().map(|title| quote!(.title(#title)));
    let arguments = text_arguments(&prompt.arguments).map(|argument| quote!(.argument(#argument)));
    let settings = expand::call_settings(interface);
    // The function that is called records the place of the call, which is the author's name of the prompt.
    let definition = quote_spanned! {interface.ident.span()=>
        _mcp::prompt_definition(#name, #description, &[#(#needs),*])
    };
    quote!(#definition #title #(#arguments)* #settings)
}

/// Returns one expression for each argument. The expression describes the argument.
pub(crate) fn text_arguments(arguments: &[Argument]) -> impl Iterator<Item = TokenStream> {
    arguments.iter().enumerate().map(|(index, argument)| {
        let (constant, name) = (constant(index), &argument.name);
        let title = argument.title.as_ref().map(|title| quote!(.title(#title)));
        let description = argument.description.as_ref().map(|text| quote!(.description(#text)));
        let described = quote!(_mcp::TextArgument::new(#name, #constant.described()) #title #description);
        match &argument.complete {
            Some(function) => quote_spanned!(function.span()=> _mcp::completed_by(#described, #function)),
            None => described,
        }
    })
}

/// The names of the variables that hold the arguments, and the code that reads the arguments into these variables.
pub(crate) struct ReadArguments {
    pub(crate) names: Vec<Ident>,
    pub(crate) read: TokenStream,
}

/// Returns code that reads the arguments. If any are invalid, the code returns an error that lists all problems.
pub(crate) fn read_arguments(arguments: &[Argument], from: &TokenStream) -> ReadArguments {
    let indices = 0..arguments.len();
    let names: Vec<_> =
        indices.clone().map(|index| Ident::new(&format!("argument{index}"), Span::mixed_site())).collect();
    let constants = indices.map(constant);
    let reader = Ident::new("reader", Span::mixed_site());
    let read = quote! {
        #[allow(unused_mut)]
        let mut #reader = #from.reader(__NAMES);
        #(let #names = #reader.read(#constants);)*
        let (#(::core::option::Option::Some(#names),)* true) = (#(#names,)* #reader.is_sound()) else {
            return ::core::result::Result::Err(#reader.into_error());
        };
    };
    ReadArguments { names, read }
}

/// Returns code that reads the arguments immediately, but fetches the context and the state only when the call runs.
fn body(prompt: &Prompt, call: &Ident, arguments: &Ident) -> TokenStream {
    let function = generated(&prompt.function.sig.ident);
    let ReadArguments { names, read } = read_arguments(&prompt.arguments, &quote!(#arguments));
    let (fetched, parameters) = expand::passed(&prompt.interface.params, call, &names);
    let future = quote! {
        #fetched
        (__OUTPUT)(#function(#(#parameters),*).await)
    };
    // The compiler reports a future that is not `Send` at this span, the name of the function.
    let boxed = quote_spanned!(prompt.function.sig.ident.span()=> _mcp::boxed(async move { #future }));
    quote! {
        #read
        ::core::result::Result::Ok(#boxed)
    }
}
