//! `#[mcp_resource]` turns an `async fn` into a resource or a template of resources.

mod ast;
mod attr;
mod check;
mod expand;
mod fallback;
mod uri;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse2;

use self::{ast::Resource, attr::ResourceAttr};
use crate::{errors::Errors, mcp_tool::ast::Function};

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ResourceAttr::read(&mut errors, attr);
    let Ok(function) = parse2::<Function>(item.clone()) else {
        return fallback::not_a_function(errors, item);
    };
    let resource = Resource::new(&mut errors, attr, function);
    check::resource(&mut errors, &resource);
    match errors.finish() {
        Ok(()) => expand::resource(&resource),
        Err(errors) => {
            let resource = fallback::resource(&resource);
            quote!(#errors #resource)
        }
    }
}
