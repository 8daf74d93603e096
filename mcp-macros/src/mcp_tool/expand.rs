//! Generates code for a valid tool. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::ast::{Function, Tool};
use crate::{
    scope::scope,
    spans::generated,
    tool::{argument, called, expand, warnings},
};

pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let registered = registered(tool.interface.registered(), function);
    let krate = &tool.interface.attr.krate;
    let arguments = argument::constants(tool.interface.values());
    let references = expand::references(tool.interface.references());
    let output = expand::output(&tool.interface);
    let implementation = implementation(tool);
    let asks_with = expand::asks_with(tool.interface.registered(), tool.interface.references());
    let with = called::with(&tool.interface, tool.interface.registered(), &function.vis, tool.interface.references());
    let scope = scope(krate, &quote!(#arguments #references #output #implementation #asks_with #with));
    let warnings = warnings::of_tool(&tool.interface);
    quote! {
        #function
        #registered
        #scope
        #warnings
    }
}

/// Returns the registration type. It can have the same name as the tool's function: because the type is declared with
/// braces, its name is not in the value namespace, which contains the name of the function.
pub(crate) fn registered(name: &Ident, function: &Function) -> TokenStream {
    let (vis, name) = (&function.vis, generated(name));
    quote! {
        #[doc(hidden)]
        #vis struct #name {}
    }
}

fn implementation(tool: &Tool) -> TokenStream {
    let registered = tool.interface.registered();
    let name = tool.interface.wire_name();
    let needs: Vec<_> = expand::needs(tool.interface.references()).collect();
    let definition = expand::definition(&tool.interface, &needs);
    // Hygienic names, so that the author's function can be named `call` or `arguments`.
    let call = Ident::new("call", Span::mixed_site());
    let arguments = Ident::new("arguments", Span::mixed_site());
    let body = body(tool, &call, &arguments);
    quote! {
        impl _mcp::Tool for #registered {
            fn definition(&self) -> _mcp::ToolDefinition {
                #definition
            }
            fn call(
                &self,
                #call: _mcp::Call,
                #arguments: _mcp::Arguments<'_>,
            ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
                #body
            }
        }
        _mcp::entry!(Tool #registered, #name);
    }
}

/// Returns code that reads the arguments immediately, but fetches the context and the state only when the call runs.
fn body(tool: &Tool, call: &Ident, arguments: &Ident) -> TokenStream {
    let function = generated(&tool.function.sig.ident);
    let reading = expand::reading(&tool.interface, arguments);
    let (fetched, parameters) = expand::passed(&tool.interface.params, call, &reading.names);
    let future = quote! {
        #fetched
        (__OUTPUT.into_result)(#function(#(#parameters),*).await)
    };
    // The compiler reports a future that is not `Send` at this span, the name of the function.
    let boxed = quote_spanned!(tool.function.sig.ident.span()=> _mcp::boxed(async move { #future }));
    let boxed = expand::future_of_call(&tool.interface, call, boxed);
    let read = reading.statements;
    quote! {
        #read
        ::core::result::Result::Ok(#boxed)
    }
}

/// Writes the author's function. Adds `#[allow]` for lints that a tool cannot satisfy. Also allows missing `# Errors`
/// and `# Panics` sections, because the model would read these sections.
impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        tokens.extend(quote! {
            #(#attrs)*
            #[allow(
                clippy::unused_async, clippy::needless_pass_by_value, clippy::trivially_copy_pass_by_ref,
                clippy::ptr_arg, clippy::implicit_hasher, clippy::too_many_arguments,
                clippy::fn_params_excessive_bools, clippy::missing_errors_doc, clippy::missing_panics_doc
            )]
            #vis #sig #body
        });
    }
}
