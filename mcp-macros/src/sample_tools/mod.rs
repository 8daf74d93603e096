//! `#[derive(SampleTools)]` turns each variant of an enum into a tool for a model.

mod ast;
mod beside;
mod check;
mod expand;
mod variant;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse2};

use self::ast::Set;
use crate::errors::Errors;

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    let set = Set::new(&mut errors, input);
    check::set(&mut errors, &set);
    let sound = errors.count() == 0 && set.is_whole();
    let errors = errors.finish().err();
    let set = if sound { expand::set(&set) } else { expand::fallback(&set) };
    quote!(#errors #set)
}
