//! `#[derive(Choice)]` makes an enum the type of a form field.

mod ast;
mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse2};

use self::ast::Choice;
use crate::errors::Errors;

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    let choice = Choice::new(&mut errors, input);
    check::choice(&mut errors, &choice);
    let sound = errors.count() == 0;
    let errors = errors.finish().err();
    let choice = expand::choice(&choice, sound);
    quote!(#errors #choice)
}
