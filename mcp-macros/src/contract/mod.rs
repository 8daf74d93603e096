//! `#[contract]`: makes the methods of a trait or of an `impl` block a resource of a contract.

mod ast;
mod attr;
mod check;
mod expand;
mod fallback;
mod method;
mod method_attr;

use proc_macro2::TokenStream;
use quote::quote;

use self::{
    ast::{Contract, Item},
    attr::ContractAttr,
};
use crate::errors::Errors;

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ContractAttr::read(&mut errors, attr);
    let Some(item) = Item::parse(item.clone()) else {
        return fallback::neither_trait_nor_impl(errors, item);
    };
    let contract = Contract::new(&mut errors, attr, item);
    check::contract(&mut errors, &contract);
    match errors.finish() {
        Ok(()) => expand::contract(&contract),
        Err(errors) => {
            let contract = fallback::contract(&contract);
            quote!(#errors #contract)
        }
    }
}
