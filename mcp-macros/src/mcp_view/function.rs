//! A function that is a view: a resource whose output fills in the page.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    ast::View,
    attr::ViewAttr,
    check,
    expand::{definition, warnings},
};
use crate::{errors::Errors, mcp_resource, mcp_tool::ast::Function, tool::ToolAttr};

pub(super) fn expand(mut errors: Errors, attr: TokenStream, function: Function) -> TokenStream {
    let (attr, keys) = ViewAttr::of_function(&mut errors, attr);
    let view = View::new(&mut errors, attr, function.sig.ident.clone(), &function.attrs);
    check::view(&mut errors, &view);
    check::placeholders_are_safe(&mut errors, &view);
    let ViewAttr { uri, name, title, description, krate, .. } = &view.attr;
    let shared = ToolAttr {
        name: name.clone(),
        title: title.clone(),
        description: description.clone(),
        krate: krate.clone(),
        ..ToolAttr::default()
    };
    let page = definition(&view);
    let resource = mcp_resource::of_view(errors, uri.clone(), shared, &keys, page, function);
    let warnings = warnings(&view);
    quote!(#resource #warnings)
}
