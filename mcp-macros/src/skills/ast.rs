//! The list of folders.

use proc_macro2::{TokenStream, TokenTree};
use syn::{LitStr, Path, Token, parse::ParseStream};

pub(super) struct List {
    /// The path of the runtime.
    pub(super) krate: Path,
    /// The folders, relative to the file in which they are written.
    pub(super) folders: Vec<LitStr>,
    /// What is not a folder.
    pub(super) errors: Vec<syn::Error>,
}

/// Reads the path of the runtime in parentheses, and the folders.
pub(super) fn list(input: ParseStream<'_>) -> syn::Result<List> {
    let krate;
    syn::parenthesized!(krate in input);
    let mut list = List { krate: krate.parse()?, folders: Vec::new(), errors: Vec::new() };
    while !input.is_empty() {
        let start = input.fork();
        match input.parse::<LitStr>() {
            Ok(folder) if input.is_empty() || input.peek(Token![,]) => list.folders.push(folder),
            _ => {
                let wrong = until_comma(&start)?;
                until_comma(input)?;
                let message = "`skills![…]` must be a list of folders in quotes; write `skills![\"skills/refunds\"]`";
                list.errors.push(syn::Error::new_spanned(wrong, message));
            }
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(list)
}

fn until_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}
