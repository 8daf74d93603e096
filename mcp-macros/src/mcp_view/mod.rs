//! `#[mcp_view]` turns a struct or a function into a view: a page that hosts show to the user. The page of a struct is always
//! the same. That of a function is filled in when it is read.

mod ast;
mod attr;
mod check;
mod expand;
mod fallback;
mod function;
mod html;
mod page;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemStruct, parse2};

use self::{ast::ViewStruct, attr::ViewAttr};
use crate::errors::Errors;

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    if let Ok(function) = parse2(item.clone()) {
        return function::expand(errors, attr, function);
    }
    let attr = ViewAttr::of_struct(&mut errors, attr);
    let Ok(item_struct) = parse2::<ItemStruct>(item.clone()) else {
        return fallback::not_a_view(errors, item);
    };
    let view = ViewStruct::new(&mut errors, attr, item_struct);
    check::view_struct(&mut errors, &view);
    match errors.finish() {
        Ok(()) => expand::view_struct(&view),
        Err(errors) => {
            let view = fallback::view_struct(&view);
            quote!(#errors #view)
        }
    }
}
