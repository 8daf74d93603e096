//! `tools![a, module::b]`: the tools of a server.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Path, Token, parse::Parser, punctuated::Punctuated, spanned::Spanned};

/// `input` is the path of the runtime in parentheses, then what the author wrote.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let krate;
        syn::parenthesized!(krate in input);
        Ok((krate.parse::<Path>()?, Punctuated::<Path, Token![,]>::parse_terminated(input)?))
    };
    match parser.parse2(input) {
        Ok((krate, paths)) => tools(&krate, &paths),
        Err(error) => {
            let error = error.into_compile_error();
            quote!({ #error })
        }
    }
}

fn tools(krate: &Path, paths: &Punctuated<Path, Token![,]>) -> TokenStream {
    let names: Vec<_> = (0..paths.len()).map(|index| format_ident!("__TOOL_{index}")).collect();
    let entries = paths.iter().zip(&names).enumerate().map(|(index, (path, name))| {
        let (span, earlier) = (path.span(), &names[..index]);
        let entry = quote_spanned!(span=> <#path as _mcp::Registered>::ENTRY);
        let panic = quote_spanned!(span=> ::core::panic!("{}", MESSAGE));
        let check = (index > 0).then(|| {
            quote! {
                const _: () = if #name.is_among(&[#(#earlier),*]) {
                    const LENGTH: usize = #name.duplicate_length();
                    const BYTES: [u8; LENGTH] = #name.duplicate();
                    const MESSAGE: &str = _mcp::text(&BYTES);
                    #panic
                };
            }
        });
        quote! {
            const #name: _mcp::Entry = #entry;
            #check
        }
    });
    quote! {{
        use #krate::__private as _mcp;
        #(#entries)*
        _mcp::tools([#(#names),*])
    }}
}
