//! Generates a placeholder for a view that has errors, so that the compiler reports no further errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, parse2};

use super::{ast::ViewStruct, expand};
use crate::{errors::Errors, mcp_tool::fallback::kind};

/// Returns the struct, as a view without a page.
pub(super) fn view_struct(view: &ViewStruct) -> TokenStream {
    expand::with_definition(view, &quote!(_mcp::view_definition("", "", "")))
}

/// Reports an item that is neither a struct nor a function. The output of the macro still contains the item.
pub(super) fn not_a_view(mut errors: Errors, item: &TokenStream) -> TokenStream {
    let place = parse2::<Item>(item.clone()).map_or_else(|_| item.clone(), |item| kind(&item));
    errors.push(
        place,
        "`#[mcp_view]` belongs on a struct, `struct SeatMap;`, or on an `async fn` that returns what its page shows",
    );
    let errors = errors.finish().err();
    quote!(#errors #item)
}
