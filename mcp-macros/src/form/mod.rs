//! `#[derive(Form)]` makes a struct a form. `#[elicits]` uses the same code for its variants.

mod ast;
mod beside;
mod check;
mod expand;
mod field;
mod field_attr;
mod names;
mod rule;
mod secret;
mod wording;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse2};

pub(crate) use self::{
    ast::Form,
    beside::OtherDerives,
    check::fields as check_fields,
    expand::form as expand_form,
    field::Field,
    field_attr::{is_not_blank, lists},
    names::wire_name,
};
use crate::errors::Errors;

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    let derived = ast::Derived::new(&mut errors, input);
    check::derived(&mut errors, &derived);
    let errors = errors.finish().err();
    let form = expand::derived(&derived);
    quote!(#errors #form)
}
