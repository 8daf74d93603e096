//! Generates the parts that all tools share. Cannot fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Generics, Type, spanned::Spanned};

use super::{Interface, Origin, Param, argument};
use crate::{
    spans::{generated, located},
    types,
};

/// The trait that checks the types that tools take by reference.
pub(crate) const SHARED: &str = "Shared";

/// Returns code that checks that a tool can take each of these types by reference. Each check is a separate item, so
/// that the compiler reports every error.
pub(crate) fn references<'a>(types: impl Iterator<Item = &'a Type>) -> TokenStream {
    checks(types, SHARED)
}

/// Returns code that checks that each of these types implements the trait `verdict` of the runtime's `__private`.
pub(crate) fn checks<'a>(types: impl Iterator<Item = &'a Type>, verdict: &str) -> TokenStream {
    let verdict = format_ident!("{verdict}");
    let checks = types.map(|ty| quote_spanned!(ty.span()=> const _: () = <#ty as _mcp::#verdict>::CHECK;));
    quote!(#(#checks)*)
}

/// Returns the `impl` of `AsksWith` for the set of forms of the context among `types`, the types that the tool takes by
/// reference.
pub(crate) fn asks_with<'a>(this: &impl ToTokens, types: impl Iterator<Item = &'a Type>) -> TokenStream {
    let set = set_of(types);
    quote!(impl _mcp::AsksWith<#set> for #this {})
}

/// Returns the set of forms of the context among `types`.
pub(crate) fn set_of<'a>(types: impl Iterator<Item = &'a Type>) -> TokenStream {
    let types: Vec<_> = types.collect();
    if types.is_empty() { quote!(_mcp::NoForms) } else { quote!(_mcp::set_of!(#(#types),*)) }
}

/// Returns one expression for each parameter that the tool takes by reference. The expression states what the parameter
/// requires of the server or the client.
pub(crate) fn needs<'a>(types: impl Iterator<Item = &'a Type>) -> impl Iterator<Item = TokenStream> {
    types.map(|ty| quote!(_mcp::reference!(#ty, need)))
}

/// Returns code that checks the author's types, so that one compilation shows all errors. Types in which the macro
/// found an error are left out. The function `output` generates the check of the output type. The trait `by_reference`
/// checks the types that are taken by reference. For a generic function, returns no code.
pub(crate) fn verdicts(
    generics: &Generics,
    interface: &Interface,
    output: fn(&Interface) -> TokenStream,
    by_reference: &str,
) -> TokenStream {
    if !generics.params.is_empty() {
        return TokenStream::new();
    }
    let values = interface.values().filter(|value| value.sound).map(argument::verdicts);
    let references = checks(interface.references(), by_reference);
    let output = types::borrow(&interface.output).is_none().then(|| output(interface));
    quote!(#(#values)* #references #output)
}

/// Returns the code of the constant that checks the tool's output type. Other generated code uses this constant
/// instead of a bound.
pub(crate) fn output(tool: &Interface) -> TokenStream {
    let output = &tool.output;
    let functions = match types::boxed_error(output) {
        Some(error) => quote_spanned!(error.span()=> <#output as _mcp::BoxedError>::FUNCTIONS),
        None if tool.attr.view.is_some() => {
            quote_spanned!(output.span()=> <#output as _mcp::ViewOutput>::VIEW_FUNCTIONS)
        }
        None => quote_spanned!(output.span()=> <#output as _mcp::ToolOutput>::FUNCTIONS),
    };
    let imported = types::result_of_one(output).map(|name| result_is_imported(tool, name));
    quote! {
        const __OUTPUT: _mcp::OutputFunctions<#output> = #functions;
        #imported
    }
}

/// Checks that a `Result<T>` in the output is not the `Result` of the standard library. For details, see
/// `__private/imported.rs`.
fn result_is_imported(tool: &Interface, name: &Ident) -> TokenStream {
    let (output, tool) = (&tool.output, generated(tool.registered()));
    let verdict = quote_spanned!(name.span()=> <#output as _mcp::ErrorIsKnown<#tool>>::CHECK);
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use _mcp::{Nowhere as #tool, std_result::*};
            const _: () = {
                #[allow(unused_imports)]
                use self::*;
                #verdict
            };
        };
    }
}

pub(crate) fn definition(tool: &Interface, needs: &[TokenStream]) -> TokenStream {
    let name = tool.wire_name();
    let description = tool.description.as_ref();
    let otherwise = tool.values().any(argument::is_read_otherwise).then(|| quote!(.read_otherwise()));
    let published = published_settings(tool);
    // The function that is called records the place of the call, which is the author's name of the tool.
    let definition = quote_spanned! {tool.ident.span()=>
        _mcp::definition(#name, #description, __TAKES, &[#(#needs),*], __OUTPUT.schema)
    };
    quote!(#definition #otherwise #published)
}

/// Returns the code that creates the future of a call. If the tool can be a task, this future begins the task. `call`
/// is the name of the variable that holds the call.
pub(crate) fn future_of_call(tool: &Interface, call: &Ident, boxed: TokenStream) -> TokenStream {
    match tool.attr.task {
        None => boxed,
        Some(span) => quote_spanned!(located(span)=> _mcp::as_task!(#call, move |#call: _mcp::Call| #boxed)),
    }
}

/// Returns a chain of method calls, such as `.title(…)`. Generated code appends the chain to a definition. The chain
/// sets the title, the hints, and the settings that `call_settings` returns.
pub(crate) fn published_settings(tool: &Interface) -> TokenStream {
    let attr = &tool.attr;
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
    let task = attr.task.map(|span| quote_spanned!(located(span)=> .task()));
    let view = attr.view.as_ref().map(|view| {
        let view = view_definition(view);
        quote!(.shown_by(#view))
    });
    let visibility = attr.visibility.as_ref().map(|variant| quote!(.visibility(_mcp::ToolVisibility::#variant)));
    let settings = call_settings(tool);
    quote!(#title #(#hints)* #task #view #visibility #settings)
}

/// Returns the definition of a view. If the type is not a view, the compiler reports an error at the type.
pub(crate) fn view_definition(view: &Type) -> TokenStream {
    quote_spanned!(located(view.span())=> <#view as _mcp::View>::DEFINITION)
}

/// Returns a closure that runs a method of a service. `path` is the path of the method.
pub(crate) fn bound_method(tool: &Interface, path: &TokenStream) -> TokenStream {
    // Hygienic names, so that they never clash with the author's.
    let call = Ident::new("call", Span::mixed_site());
    let arguments = Ident::new("arguments", Span::mixed_site());
    let this = Ident::new("this", Span::mixed_site());
    let reading = reading(tool, &arguments);
    let (fetched, parameters) = passed(&tool.params, &call, &reading.names);
    let read = reading.statements;
    let future = quote! {
        #fetched
        (__OUTPUT.into_result)(#path(&*#this #(, #parameters)*).await)
    };
    // The compiler reports a future that is not `Send` at this span, the name of the method.
    let boxed = quote_spanned!(located(tool.ident.span())=> _mcp::boxed(async move { #future }));
    quote! {
        |#this: ::std::sync::Arc<Self>, #call: _mcp::Call, #arguments: _mcp::Arguments<'_>| {
            #read
            ::core::result::Result::Ok(#boxed)
        }
    }
}

/// Returns a chain of method calls, such as `.timeout(…)`. Generated code appends the chain to a definition. The chain
/// sets the time limits, the capabilities, the scopes, and the other settings that apply to calls.
pub(crate) fn call_settings(tool: &Interface) -> TokenStream {
    let attr = &tool.attr;
    let times =
        [("timeout", attr.timeout), ("answer_within", attr.answer_within)].into_iter().filter_map(|(key, time)| {
            let (key, milliseconds) = (format_ident!("{key}"), u64::try_from(time?.as_millis()).unwrap_or(u64::MAX));
            Some(quote!(.#key(::core::time::Duration::from_millis(#milliseconds))))
        });
    let requires = &attr.requires;
    let optional_capabilities = &attr.optional;
    let scopes = &attr.scopes;
    let replayable = match tool.origin {
        Origin::Function | Origin::Method | Origin::Actions => attr.replayable.as_ref().is_some_and(|flag| flag.value),
        Origin::Phases => true,
    };
    let replayable = replayable.then(|| quote!(.replayable()));
    let allow = &attr.allow;
    let icons = attr.icons.iter().map(|icon| quote!(.icon(#icon)));
    let meta = attr.meta.iter().map(|member| {
        let (key, value) = (&member.key, &member.value);
        quote!(.meta(#key, #value))
    });
    quote! {
        #(#times)*
        #(.requires(_mcp::Capability::#requires))*
        #(.optional(_mcp::Capability::#optional_capabilities))*
        #(.scope(#scopes))*
        #replayable
        #(.allow(#allow))*
        #(#icons)*
        #(#meta)*
    }
}

/// Returns the code that reads the arguments of a call.
pub(crate) fn reading(tool: &Interface, arguments: &Ident) -> argument::Reading {
    argument::reading(
        tool.values(),
        &quote!(#arguments.read_by(__WHOLE.read)),
        &|slots| quote!(#arguments.fill(#slots)),
    )
}

/// Returns the code that fetches the context and the state when the call runs. Also returns one expression for each
/// parameter.
pub(crate) fn passed(params: &[Param], call: &Ident, arguments: &[Ident]) -> (TokenStream, Vec<TokenStream>) {
    let (mut fetched, mut parameters) = (Vec::new(), Vec::new());
    let mut arguments = arguments.iter();
    for param in params {
        match param {
            Param::Value(_) => parameters.push(arguments.next().to_token_stream()),
            Param::Reference(reference) => {
                let ty = &reference.ty;
                let name = Ident::new(&format!("reference{}", fetched.len()), Span::mixed_site());
                fetched.push(quote!(let #name = _mcp::reference!(#ty, &#call);));
                parameters.push(quote!(&#name));
            }
        }
    }
    (quote!(#(#fetched)*), parameters)
}
