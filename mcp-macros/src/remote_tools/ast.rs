//! The path of the file.

use syn::{LitStr, Path, parse::ParseStream};

pub(super) struct Call {
    /// The path of the runtime.
    pub(super) krate: Path,
    /// The path of the list, relative to the file in which it is written.
    pub(super) file: LitStr,
}

/// Reads the path of the runtime in parentheses, and the path of the file.
pub(super) fn call(input: ParseStream<'_>) -> syn::Result<Call> {
    let krate;
    syn::parenthesized!(krate in input);
    let krate = krate.parse()?;
    let message =
        "`remote_tools!` takes the path of one file in quotes; write `remote_tools!(\"schemas/github.json\")`";
    let file = input.parse::<LitStr>().map_err(|error| syn::Error::new(error.span(), message))?;
    if !input.is_empty() {
        return Err(input.error(message));
    }
    Ok(Call { krate, file })
}
