//! `skills!["skills/refunds", "skills/reports"]` embeds folders with a `SKILL.md`.

mod ast;
mod check;
mod expand;

use proc_macro2::TokenStream;
use syn::parse::Parser;

use crate::errors::Errors;

/// Expands the macro. `input` is the path of the runtime in parentheses, followed by the author's list.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let list = match ast::list.parse2(input) {
        Ok(list) => list,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::new();
    for error in list.errors {
        errors.handle::<()>(Err(error));
    }
    let skills = check::skills(&mut errors, &list.folders);
    expand::skills(&list.krate, errors.finish().err().as_ref(), &skills)
}
