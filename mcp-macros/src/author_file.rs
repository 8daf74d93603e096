//! Files of the author that a macro reads, with paths relative to the source file, as in `include_str!`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use syn::LitStr;

/// Returns where the file is. Only an editor does not know the source file.
pub(crate) fn place(file: &LitStr) -> Option<PathBuf> {
    let source = file.span().unwrap().local_file()?;
    Some(source.parent()?.join(file.value()))
}

/// Returns the text of the file. The error is a message for the author, who has written the path as `written`.
pub(crate) fn text(place: &Path, written: &str) -> Result<String, String> {
    let text = fs::read_to_string(place).map_err(|error| {
        let place = place.display();
        format!(
            "cannot read `{written}`, whose path is relative to this source file, so the file is `{place}`: {error}"
        )
    })?;
    // Editors of Windows write a byte order mark, which JSON does not allow.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
