//! Generates the function `with`, with which another tool passes arguments to this one. Cannot fail.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Type, Visibility};

use super::{Interface, expand::set_of};
use crate::spans::{generated, located};

/// Returns the `impl` block with the function. Its parameters are bounds, so that a type that cannot be written as JSON
/// is an error only where such a call is made.
pub(crate) fn with<'a>(
    tool: &Interface,
    this: &impl ToTokens,
    vis: &Visibility,
    references: impl Iterator<Item = &'a Type>,
) -> TokenStream {
    let (set, output) = (set_of(references), &tool.output);
    let values = tool.values().filter(|value| value.serde.skip.is_none());
    let names: Vec<_> = values.clone().map(|value| generated(&value.ident)).collect();
    let parameters = values.clone().zip(&names).map(|(value, name)| {
        let ty = &value.ty;
        quote_spanned!(located(value.ident.span())=> #name: impl _mcp::ToArgument<#ty>)
    });
    let written = values.clone().zip(&names).map(|(value, name)| {
        let ty = &value.ty;
        quote!(_mcp::ToArgument::<#ty>::to_argument(&#name))
    });
    let call = if values.clone().any(|value| value.whole.is_some()) {
        quote!(_mcp::PreparedCall::whole::<Self>(#(#written)*))
    } else {
        let published = values.map(super::Value::wire_name);
        quote!(_mcp::PreparedCall::new::<Self, _>([#((#published, #written)),*]))
    };
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
