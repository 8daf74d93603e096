//! `#[derive(Settings)]` makes a struct the settings of a server.

mod ast;
mod attr;
mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse2};

use self::ast::Settings;
use crate::errors::Errors;

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    let settings = Settings::new(&mut errors, input);
    check::settings(&mut errors, &settings);
    let errors = errors.finish().err();
    let settings = expand::settings(&settings);
    quote!(#errors #settings)
}
