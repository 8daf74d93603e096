//! Generates the function `with`, with which another tool passes arguments to this one. Cannot fail.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, Type, Visibility};

use super::{Interface, Value, expand::set_of};
use crate::{
    spans::{generated, located},
    types,
};

/// Returns the `impl` block with the function. Its parameters are bounds, so that a type that cannot be written as JSON
/// is an error only where such a call is made.
pub(crate) fn with<'a>(
    tool: &Interface,
    this: &impl ToTokens,
    vis: &Visibility,
    references: impl Iterator<Item = &'a Type>,
) -> TokenStream {
    let values = values(tool);
    let names: Vec<_> = values.clone().map(|value| generated(&value.ident)).collect();
    let written = values.clone().zip(&names).map(|(value, name)| {
        let ty = &value.ty;
        quote!(_mcp::ToArgument::<#ty>::to_argument(&#name))
    });
    let call = if values.clone().any(|value| value.whole.is_some()) {
        quote!(_mcp::PreparedCall::whole::<Self>(#(#written)*))
    } else {
        let published = values.map(Value::wire_name);
        quote!(_mcp::PreparedCall::new::<Self, _>([#((#published, #written)),*]))
    };
    function(tool, this, vis, &set_of(references), Some(&call))
}

/// Returns the function for a tool that has errors, so that a call of the tool is no further error. A parameter that has
/// an error takes any argument. Returns no code if the types of the function are unknown.
pub(crate) fn fallback(tool: &Interface, this: &impl ToTokens, vis: &Visibility, generics: &Generics) -> TokenStream {
    if !generics.params.is_empty() || types::borrow(&tool.output).is_some() {
        return TokenStream::new();
    }
    // Callers with any set of forms can pass on this one.
    function(tool, this, vis, &quote!(_mcp::NoForms), None)
}

/// Returns the values that a caller passes.
fn values(tool: &Interface) -> impl Iterator<Item = &Value> + Clone {
    tool.values().filter(|value| value.serde.skip.is_none())
}

/// Returns the `impl` block with the function. It returns `call`, which uses its parameters, or is never called.
fn function(
    tool: &Interface,
    this: &impl ToTokens,
    vis: &Visibility,
    set: &TokenStream,
    call: Option<&TokenStream>,
) -> TokenStream {
    let parameters: Vec<_> = values(tool)
        .map(|value| {
            let name = if call.is_some() { generated(&value.ident).into_token_stream() } else { quote!(_) };
            let (ty, span) = (&value.ty, located(value.ident.span()));
            let bound =
                if value.sound { quote_spanned!(span=> _mcp::ToArgument<#ty>) } else { quote!(::core::marker::Sized) };
            quote_spanned!(span=> #name: impl #bound)
        })
        .collect();
    let call = call.map_or_else(|| quote!(::core::unreachable!()), ToTokens::to_token_stream);
    let output = &tool.output;
    let doc = format!("A call of the tool `{}` with these arguments, for `ctx.call_tool(…)`.", tool.wire_name());
    quote! {
        #[allow(
            dead_code, unreachable_pub, private_interfaces, private_bounds,
            clippy::needless_pass_by_value, clippy::too_many_arguments
        )]
        impl #this {
            #[doc = #doc]
            #vis fn with(#(#parameters),*) -> _mcp::PreparedCall<#set, #output> {
                #call
            }
        }
    }
}
