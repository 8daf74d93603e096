//! `#[mcp_resource]` turns an `async fn` into a resource or a template of resources.

mod ast;
mod attr;
mod check;
mod expand;
mod fallback;
mod uri;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, parse2};

use self::{ast::Resource, attr::ResourceAttr};
use crate::{errors::Errors, keys::Entry, mcp_tool::ast::Function, tool::ToolAttr};

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ResourceAttr::read(&mut errors, attr);
    let Ok(function) = parse2::<Function>(item.clone()) else {
        return fallback::not_a_function(errors, item);
    };
    resource(errors, attr, function)
}

/// Expands a function that fills in the page of a view. `page` is the definition of the view, and `keys` are those of its
/// keys that resources have too.
pub(crate) fn of_view(
    mut errors: Errors,
    uri: Option<LitStr>,
    shared: ToolAttr,
    keys: &[Entry],
    page: TokenStream,
    function: Function,
) -> TokenStream {
    let attr = ResourceAttr::of_view(&mut errors, uri, shared, keys, page);
    resource(errors, attr, function)
}

fn resource(mut errors: Errors, attr: ResourceAttr, function: Function) -> TokenStream {
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
