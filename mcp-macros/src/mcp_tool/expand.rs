//! A checked tool in, tokens out. Nothing in here can fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{LitStr, spanned::Spanned};

use super::{
    argument,
    ast::{Function, Tool},
    param::Param,
};
use crate::spans::generated;

pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let registered = registered(tool.registered(), function);
    let krate = &tool.attr.krate;
    let arguments = arguments(tool);
    let references = references(tool);
    let output = output(tool);
    let implementation = implementation(tool);
    quote! {
        #function
        #registered
        #[allow(deprecated)]
        const _: () = {
            use #krate::__private as _mcp;
            #arguments
            #references
            #output
            #implementation
        };
    }
}

/// The type in the type namespace. Braces keep it out of the value namespace, where the function is.
pub(crate) fn registered(name: &Ident, function: &Function) -> TokenStream {
    let (vis, name) = (&function.vis, generated(name));
    quote! {
        #[doc(hidden)]
        #vis struct #name {}
    }
}

/// The types that read the arguments, one for each and one for the whole object.
fn arguments(tool: &Tool) -> TokenStream {
    let values: Vec<_> = tool.values().enumerate().collect();
    if let Some((index, whole)) = values.iter().find(|(_, value)| value.whole.is_some()) {
        return argument::whole(*index, whole);
    }
    if values.is_empty() {
        return quote! { use _mcp::NoArguments as __Root; };
    }
    let types = values.iter().map(|(index, value)| argument::types(*index, value));
    let fields = values.iter().map(|(index, value)| argument::field(*index, value));
    // What `schemars` writes for a default says `Some`, which may be something else where the author is.
    let some = values.iter().any(|(_, value)| value.serde.default.is_some()).then(|| quote! { use _mcp::Some; });
    quote! {
        #(#types)*
        #[derive(_mcp::serde::Deserialize, _mcp::schemars::JsonSchema)]
        #[serde(crate = "_mcp::serde", deny_unknown_fields)]
        #[schemars(crate = "_mcp::schemars")]
        struct __Arguments {
            #(#fields,)*
        }
        _mcp::argument!(__Root: __Arguments);
        #some
    }
}

/// The verdict on each type taken by reference: one item each, so that two mistakes are two errors.
pub(crate) fn references(tool: &Tool) -> TokenStream {
    let checks = tool.params.iter().filter_map(|param| match param {
        Param::Value(_) => None,
        Param::Reference(reference) => {
            let ty = &reference.ty;
            Some(quote_spanned!(ty.span()=> const _: () = <#ty as _mcp::Shared>::CHECK;))
        }
    });
    quote!(#(#checks)*)
}

/// The verdict on the output, once: whatever needs the bound goes through this constant.
pub(crate) fn output(tool: &Tool) -> TokenStream {
    let output = &tool.output;
    let functions = quote_spanned!(output.span()=> <#output as _mcp::ToolOutput>::FUNCTIONS);
    quote!(const __OUTPUT: _mcp::OutputFunctions<#output> = #functions;)
}

fn implementation(tool: &Tool) -> TokenStream {
    let registered = tool.registered();
    let name = tool.wire_name();
    let definition = definition(tool);
    // Names of our own, so that a function named `call` or `arguments` is still itself.
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
            ) -> ::core::result::Result<_mcp::Calling, _mcp::ArgumentsError> {
                #body
            }
        }
        impl _mcp::Registered for #registered {
            const ENTRY: _mcp::Entry = _mcp::Entry::new(#name, || ::std::boxed::Box::new(#registered {}));
        }
    }
}

fn definition(tool: &Tool) -> TokenStream {
    let attr = &tool.attr;
    let name = tool.wire_name();
    let description = tool.description.as_ref();
    let optional = tool.values().enumerate().filter_map(|(index, value)| argument::may_be_absent(index, value));
    let title = attr.title.as_ref().map(|title| quote!(.title(#title)));
    let hints = [
        ("read_only", &attr.read_only),
        ("destructive", &attr.destructive),
        ("idempotent", &attr.idempotent),
        ("open_world", &attr.open_world),
    ];
    let hints = hints.iter().filter_map(|(hint, value)| {
        let (hint, value) = (format_ident!("{hint}"), value.as_ref()?);
        Some(quote!(.#hint(#value)))
    });
    let aliases = tool.values().flat_map(|value| {
        let name = value.wire_name();
        value.serde.aliases.iter().map(move |alias| quote!(.alias(#alias, #name)))
    });
    let otherwise = tool.values().any(argument::is_read_otherwise).then(|| quote!(.read_otherwise()));
    let timeout = attr.timeout.map(|timeout| {
        let milliseconds = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        quote!(.timeout(::core::time::Duration::from_millis(#milliseconds)))
    });
    let requires = &attr.requires;
    let optional_capabilities = &attr.optional;
    let replayable = attr.replayable.as_ref().filter(|flag| flag.value).map(|_| quote!(.replayable()));
    let meta = attr.meta.iter().map(|member| {
        let (key, value) = (&member.key, &member.value);
        quote!(.meta(#key, #value))
    });
    let states = tool.params.iter().filter_map(|param| match param {
        Param::Value(_) => None,
        Param::Reference(reference) => {
            let ty = &reference.ty;
            Some(quote!(_mcp::reference!(#ty, need)))
        }
    });
    quote! {
        _mcp::definition::<__Root, _>(#name, #description, &[#(#optional),*], &[#(#states),*], &__OUTPUT)
            #(#aliases)*
            #otherwise
            #title
            #(#hints)*
            #timeout
            #(.requires(_mcp::Capability::#requires))*
            #(.optional(_mcp::Capability::#optional_capabilities))*
            #replayable
            #(#meta)*
    }
}

/// Reads the arguments now, and fetches the rest when the call runs.
fn body(tool: &Tool, call: &Ident, arguments: &Ident) -> TokenStream {
    let function = generated(&tool.function.sig.ident);
    let (mut fetched, mut parameters) = (Vec::new(), Vec::new());
    for param in &tool.params {
        match param {
            Param::Value(value) => parameters.push(argument::take(arguments, value)),
            Param::Reference(reference) => {
                let ty = &reference.ty;
                let name = Ident::new(&format!("reference{}", fetched.len()), Span::mixed_site());
                fetched.push(quote!(let #name = _mcp::reference!(#ty, &#call);));
                parameters.push(quote!(&#name));
            }
        }
    }
    let future = quote! {
        #(#fetched)*
        (__OUTPUT.into_result)(#function(#(#parameters),*).await)
    };
    // At the function's name: the error for a future that is not `Send` belongs there.
    let boxed = quote_spanned!(tool.function.sig.ident.span()=> _mcp::boxed(async move { #future }));
    quote! {
        let __Root(#arguments) = #arguments.read()?;
        ::core::result::Result::Ok(#boxed)
    }
}

/// The author's function, callable as ever. The lints are those that would ask for what a tool cannot have, or for
/// documentation that the model would read.
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

/// A literal for the paths in `#[serde(key = "path")]`.
pub(crate) fn literal(ident: &Ident) -> LitStr {
    LitStr::new(&ident.to_string(), ident.span())
}
