//! The scope of generated items.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

/// Wraps items in an anonymous constant, which hides their names. Inside this constant, `_mcp` is the `__private`
/// module of the runtime crate.
pub(crate) fn scope(krate: &Path, items: &TokenStream) -> TokenStream {
    quote! {
        #[allow(deprecated)]
        const _: () = {
            use #krate::__private as _mcp;
            #items
        };
    }
}
