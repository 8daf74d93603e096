//! Generates a placeholder for a contract that has errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item as AnyItem, parse2};

use super::{
    ast::{Contract, Item},
    expand,
};
use crate::{errors::Errors, tool::expand::verdicts};

/// Returns the item, with a function `into_resource` whose result has no methods.
pub(crate) fn contract(contract: &Contract) -> TokenStream {
    let is_impl_of_trait = matches!(&contract.item, Item::Impl(item) if item.trait_.is_some());
    let generics = match &contract.item {
        Item::Trait(item) => &item.generics,
        Item::Impl(item) => &item.generics,
    };
    if is_impl_of_trait || !generics.params.is_empty() {
        return match &contract.item {
            Item::Trait(item) => item.to_token_stream(),
            Item::Impl(item) => item.to_token_stream(),
        };
    }
    let krate = &contract.attr.krate;
    let verdicts = contract
        .methods
        .iter()
        .map(|method| verdicts(&method.sig.generics, &method.interface, expand::output, expand::BY_REFERENCE));
    expand::with_into_resource(
        contract,
        &quote! {
            use #krate::__private as _mcp;
            #(const _: () = { #verdicts };)*
            _mcp::RestResource::new("", ::core::option::Option::None, ::std::vec::Vec::new())
        },
    )
}

/// Reports an item that is neither a trait nor an `impl` block. The output of the macro still contains the item.
pub(crate) fn neither_trait_nor_impl(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let message = "`#[contract]` belongs on a trait, or on an `impl` block of a type's own methods";
    match parse2::<AnyItem>(item.clone()) {
        Ok(AnyItem::Fn(function)) => {
            errors.push(function.sig.fn_token, format!("{message}; for a single function write `#[mcp_tool]`"));
        }
        Ok(AnyItem::Struct(item)) => errors.push(item.struct_token, message),
        Ok(AnyItem::Enum(item)) => errors.push(item.enum_token, message),
        Ok(AnyItem::Mod(item)) => errors.push(item.mod_token, message),
        _ => errors.push(item.clone().into_iter().next().map(|token| token.to_token_stream()), message),
    }
    let errors = errors.finish().err();
    quote!(#errors #item)
}
