//! `openapi!("petstore.json", include(tag = "pets"))` makes tools from the operations of an OpenAPI document.
//!
//! The document is read as one JSON value. [`document`] resolves references in it, [`select`] finds the operations that
//! the author wants, [`operation`] and the modules that it uses turn each into a plain description, and [`expand`] writes
//! these as one table of constants: a table costs the compiler much less than a type for each operation.

mod ast;
mod body;
mod document;
mod expand;
mod group;
mod input;
mod keyword;
mod names;
mod operation;
mod parameter;
mod properties;
mod response;
mod schema;
mod security;
mod select;
mod text;
mod weaken;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;

use crate::{author_file, errors::Errors};

/// Expands the macro. `input` is the path of the runtime in parentheses, followed by what the author has written.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match ast::call.parse2(input) {
        Ok(call) => match author_file::place(&call.file) {
            Some(place) => expanded(&call, author_file::text(&place, &call.file.value())),
            // Only the editor does not know the file of a literal. There, the table is empty.
            None => expand::empty(&call),
        },
        Err(error) => {
            let error = error.into_compile_error();
            quote!({ #error })
        }
    }
}

/// Expands the macro with the text of the file. If there are errors, the table is empty, so that they cause no others.
fn expanded(call: &ast::Call, text: Result<String, String>) -> TokenStream {
    let mut errors = Errors::new();
    let api = select::api(&mut errors, call, text).unwrap_or_default();
    match errors.finish() {
        Ok(()) => expand::table(call, &api),
        Err(errors) => {
            let table = expand::empty(call);
            quote!({ #errors #table })
        }
    }
}

/// Expands a call whose file is beside the case of a snapshot.
#[cfg(test)]
pub(crate) fn expand_beside(folder: &std::path::Path, input: TokenStream) -> TokenStream {
    let call = ast::call.parse2(input).expect("a call");
    let file = call.file.value();
    expanded(&call, author_file::text(&folder.join(&file), &file))
}
