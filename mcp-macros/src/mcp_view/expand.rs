//! Generates code for a valid view. Cannot fail.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::{
    ast::{View, ViewStruct},
    attr::UNDECLARED_ORIGIN,
    check,
    html::ReferenceKind,
};
use crate::{scope::scope, spans::generated, tool::warnings};

pub(super) fn view_struct(view: &ViewStruct) -> TokenStream {
    let warnings = warnings(&view.view);
    let item = with_definition(view, &definition(&view.view));
    quote!(#item #warnings)
}

/// Returns the struct, and the implementation of `View` with this definition.
pub(super) fn with_definition(view: &ViewStruct, definition: &TokenStream) -> TokenStream {
    let item = &view.item;
    if !item.generics.params.is_empty() {
        return item.to_token_stream();
    }
    let ident = generated(&item.ident);
    let implementation = quote! {
        #[automatically_derived]
        impl _mcp::View for #ident {
            const DEFINITION: &'static _mcp::ViewDefinition = &#definition;
        }
    };
    let scope = scope(&view.view.attr.krate, &implementation);
    quote! {
        // The struct stands for the view, and no code creates a value of it.
        #[allow(dead_code)]
        #item
        #scope
    }
}

/// Returns the expression of the definition.
pub(super) fn definition(view: &View) -> TokenStream {
    let attr = &view.attr;
    let (uri, name) = (&attr.uri, view.wire_name());
    // `include_str!` finds the file by the place of the literal, and compiles again when the file changes.
    let page = attr.html.as_ref().map(|html| quote_spanned!(html.span()=> ::core::include_str!(#html)));
    // The function that is called records the place of the call, which is the author's name of the view.
    let new = quote_spanned!(view.ident.span()=> _mcp::view_definition(#uri, #name, #page));
    let title = attr.title.as_ref().map(|title| quote!(.title(#title)));
    let description = attr.description.as_ref().map(|text| quote!(.description(#text)));
    let origins = ReferenceKind::ALL.into_iter().filter_map(|kind| {
        let entries: Vec<_> = attr.origins.iter().filter(|(of, _)| *of == kind).map(|(_, origin)| origin).collect();
        let method = format_ident!("{}", kind.key());
        (!entries.is_empty()).then(|| quote!(.#method(&[#(#entries),*])))
    });
    let permissions = &attr.permissions;
    let permissions =
        (!permissions.is_empty()).then(|| quote!(.permissions(&[#(_mcp::ViewPermission::#permissions),*])));
    let prefers_border = attr.prefers_border.as_ref().map(|flag| quote!(.prefers_border(#flag)));
    let domain = attr.domain.as_ref().map(|domain| quote!(.domain(#domain)));
    quote!(#new #title #description #(#origins)* #permissions #prefers_border #domain)
}

/// Returns the code that causes the warnings about the scripts of the page.
pub(super) fn warnings(view: &View) -> TokenStream {
    let span = view.attr.html.as_ref().map(|html| html.span());
    let span = span.filter(|_| !view.attr.allows_undeclared);
    let warnings = span.into_iter().flat_map(|span| {
        check::undeclared(view, false).map(move |message| warnings::of_rule(UNDECLARED_ORIGIN, span, message))
    });
    quote!(#(#warnings)*)
}
