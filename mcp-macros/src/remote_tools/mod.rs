//! `remote_tools!("schemas/github.json")` generates typed calls of the tools of another server, from a saved list.

mod ast;
mod check;
mod expand;
mod names;
mod schema;
mod text;
mod types;

use proc_macro2::TokenStream;
use syn::parse::Parser;

use crate::{author_file, errors::Errors};

/// Expands the macro. `input` is the path of the runtime in parentheses, followed by the path of the author's file.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match ast::call.parse2(input) {
        // Only the editor does not know the file of a literal. There, nothing is generated.
        Ok(call) => author_file::place(&call.file)
            .map_or_else(TokenStream::new, |place| expanded(&call, author_file::text(&place, &call.file.value()))),
        Err(error) => error.into_compile_error(),
    }
}

/// Expands the macro with the text of the file.
fn expanded(call: &ast::Call, text: Result<String, String>) -> TokenStream {
    let mut errors = Errors::new();
    let module = check::tools(&mut errors, &call.file, text).map(|tools| types::module(&tools));
    match (errors.finish(), module) {
        (Ok(()), Some(module)) => expand::module(call, &module),
        (Err(errors), _) => errors,
        (Ok(()), None) => TokenStream::new(),
    }
}

/// Expands a call whose file is beside the case of a snapshot.
#[cfg(test)]
pub(crate) fn expand_beside(folder: &std::path::Path, input: TokenStream) -> TokenStream {
    let call = ast::call.parse2(input).expect("a call");
    let file = call.file.value();
    expanded(&call, author_file::text(&folder.join(&file), &file))
}
