//! Generates a placeholder for a handoff that has errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, parse_quote, parse2};

use super::ast::Handoff;
use crate::{
    errors::Errors,
    scope::scope,
    tool::{called, expand},
};

/// Returns the `impl` block, and a tool that can be registered but not called.
pub(crate) fn handoff(handoff: &Handoff) -> TokenStream {
    let (block, this, krate) = (&handoff.block, &handoff.block.self_ty, &handoff.interface.attr.krate);
    if handoff.of_trait.is_some() {
        return quote!(#block);
    }
    let verdicts = expand::verdicts(&block.generics, &handoff.interface, expand::output, expand::SHARED);
    let mut generics = block.generics.clone();
    let is_generic = !generics.params.is_empty();
    let predicates = &mut generics.make_where_clause().predicates;
    if is_generic {
        predicates.push(parse_quote!(Self: ::core::marker::Send + ::core::marker::Sync + 'static));
    }
    let clause = (!predicates.is_empty()).then(|| quote!(where [#predicates]));
    let parameters = &block.generics.params;
    let with = called::fallback(&handoff.interface, this, &parse_quote!(pub), &block.generics);
    let scope = scope(krate, &quote!(_mcp::fallback!(Tool [#parameters] #this #clause); #verdicts #with));
    quote! {
        #block
        #scope
    }
}

/// Reports an item that is not an `impl` block. The output of the macro still contains the item.
pub(crate) fn not_an_impl(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let message = "`#[handoff]` belongs on the `impl` block with the phases `before`, `client` and `after`";
    match parse2::<Item>(item.clone()) {
        Ok(Item::Fn(item)) => errors.push(
            item.sig.fn_token,
            "`#[handoff]` belongs on an `impl` block with three phases; for one function, write `#[mcp_tool]`",
        ),
        Ok(Item::Struct(item)) => errors.push(item.struct_token, message),
        Ok(Item::Enum(item)) => errors.push(item.enum_token, message),
        Ok(Item::Trait(item)) => errors.push(item.trait_token, message),
        _ => errors.push(item.clone().into_iter().next().map(|token| token.to_token_stream()), message),
    }
    let errors = errors.finish().err();
    quote!(#errors #item)
}
