//! What a tool is expanded to, besides the author's functions. Nothing in here can fail.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{LitStr, Type, spanned::Spanned};

use super::{Interface, Origin, Param, Value, argument};
use crate::{spans::generated, types};

/// The types that read the arguments, one for each and one for the whole object.
pub(crate) fn arguments<'a>(values: impl Iterator<Item = &'a Value>) -> TokenStream {
    let values: Vec<_> = values.enumerate().collect();
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
pub(crate) fn references<'a>(types: impl Iterator<Item = &'a Type>) -> TokenStream {
    let checks = types.map(|ty| quote_spanned!(ty.span()=> const _: () = <#ty as _mcp::Shared>::CHECK;));
    quote!(#(#checks)*)
}

/// What they need of the server or the client.
pub(crate) fn needs<'a>(types: impl Iterator<Item = &'a Type>) -> impl Iterator<Item = TokenStream> {
    types.map(|ty| quote!(_mcp::reference!(#ty, need)))
}

/// The verdict on the output, once: whatever needs the bound goes through this constant.
pub(crate) fn output(tool: &Interface) -> TokenStream {
    let output = &tool.output;
    let functions = match types::boxed_error(output) {
        Some(error) => quote_spanned!(error.span()=> <#output as _mcp::BoxedError>::FUNCTIONS),
        None => quote_spanned!(output.span()=> <#output as _mcp::ToolOutput>::FUNCTIONS),
    };
    let imported = types::result_of_one(output).map(|name| result_is_imported(tool, name));
    quote! {
        const __OUTPUT: _mcp::OutputFunctions<#output> = #functions;
        #imported
    }
}

/// That the `Result<T>` in the output is not the one of the standard library: see `__private/imported.rs`.
fn result_is_imported(tool: &Interface, name: &Ident) -> TokenStream {
    let (output, tool) = (&tool.output, generated(tool.attr.register.as_ref().unwrap_or(&tool.ident)));
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
    let attr = &tool.attr;
    let name = tool.wire_name();
    let description = tool.description.as_ref();
    let optional = optional(tool.values());
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
    let aliases = aliases(tool.values()).map(|(alias, name)| quote!(.alias(#alias, #name)));
    let otherwise = tool.values().any(argument::is_read_otherwise).then(|| quote!(.read_otherwise()));
    let times =
        [("timeout", attr.timeout), ("answer_within", attr.answer_within)].into_iter().filter_map(|(key, time)| {
            let (key, milliseconds) = (format_ident!("{key}"), u64::try_from(time?.as_millis()).unwrap_or(u64::MAX));
            Some(quote!(.#key(::core::time::Duration::from_millis(#milliseconds))))
        });
    let requires = &attr.requires;
    let optional_capabilities = &attr.optional;
    let scopes = &attr.scopes;
    let replayable = match tool.origin {
        Origin::Function => attr.replayable.as_ref().is_some_and(|flag| flag.value),
        Origin::Phases => true,
    };
    let replayable = replayable.then(|| quote!(.replayable()));
    let meta = attr.meta.iter().map(|member| {
        let (key, value) = (&member.key, &member.value);
        quote!(.meta(#key, #value))
    });
    quote! {
        _mcp::definition::<__Root, _>(#name, #description, &[#(#optional),*], &[#(#needs),*], &__OUTPUT)
            #(#aliases)*
            #otherwise
            #title
            #(#hints)*
            #(#times)*
            #(.requires(_mcp::Capability::#requires))*
            #(.optional(_mcp::Capability::#optional_capabilities))*
            #(.scope(#scopes))*
            #replayable
            #(#meta)*
    }
}

/// The arguments that have no default, and whether their types make something of nothing.
pub(crate) fn optional<'a>(values: impl Iterator<Item = &'a Value>) -> impl Iterator<Item = TokenStream> {
    values.enumerate().filter_map(|(index, value)| argument::may_be_absent(index, value))
}

/// The other names of arguments, each with the published one.
pub(crate) fn aliases<'a>(values: impl Iterator<Item = &'a Value>) -> impl Iterator<Item = (&'a LitStr, LitStr)> {
    values.flat_map(|value| value.serde.aliases.iter().map(|alias| (alias, value.wire_name())))
}

/// What fetches the references when the call runs, and what is passed for each parameter.
pub(crate) fn passed(params: &[Param], call: &Ident, arguments: &Ident) -> (TokenStream, Vec<TokenStream>) {
    let (mut fetched, mut parameters) = (Vec::new(), Vec::new());
    for param in params {
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
    (quote!(#(#fetched)*), parameters)
}

/// A literal for the paths in `#[serde(key = "path")]`.
pub(crate) fn literal(ident: &Ident) -> LitStr {
    LitStr::new(&ident.to_string(), ident.span())
}
