//! The file with the page of a view.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use syn::LitStr;

use super::html::{Reference, position, references};
use crate::errors::Errors;

/// The maximum size of a page, in bytes. Clients read it in one message.
const LARGEST: u64 = 1 << 20;

/// A file that exists, is not too large, and is UTF-8.
pub(super) struct Page {
    pub(super) text: String,
}

impl Page {
    /// Reads the file, whose path is relative to the source file that contains the literal, as for `include_str!`.
    pub(super) fn read(errors: &mut Errors, html: &LitStr) -> Option<Self> {
        let path = beside(html)?;
        match text(&path, &html.value()) {
            Ok(text) => Some(Self { text }),
            Err(problem) => {
                errors.push(html, problem);
                None
            }
        }
    }

    /// Returns what the page loads from other origins, each origin once for each kind. A certain reference stands for all
    /// uncertain ones.
    pub(super) fn references(&self) -> Vec<Reference> {
        let mut distinct: Vec<Reference> = Vec::new();
        for reference in references(&self.text) {
            let same = |known: &&mut Reference| known.kind == reference.kind && known.origin == reference.origin;
            match distinct.iter_mut().find(same) {
                Some(known) if reference.is_certain && !known.is_certain => *known = reference,
                Some(_) => {}
                None => distinct.push(reference),
            }
        }
        distinct
    }

    /// Returns the place of a byte, as text for messages.
    pub(super) fn place(&self, at: usize) -> String {
        let (line, column) = position(&self.text, at);
        format!("line {line}, column {column}")
    }
}

/// Returns the path of the file. Returns `None` if the compiler does not say where the source file is.
fn beside(html: &LitStr) -> Option<PathBuf> {
    // Unit tests of macros run outside of the compiler.
    let source = proc_macro::is_available().then(|| html.span().unwrap().local_file())??;
    Some(source.parent()?.join(html.value()))
}

/// Returns the text of the file. The error is the message about a file that cannot be a page.
fn text(path: &Path, name: &str) -> Result<String, String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!(
            "`{name}` does not exist; the path is relative to this source file, so the file is `{}`",
            path.display()
        ),
        _ => format!("`{name}` cannot be read: {error}"),
    };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(format!("`{name}` is not a file; write the path of the page"));
    }
    if metadata.len() > LARGEST {
        return Err(format!(
            "`{name}` has {} bytes, but a page has at most {LARGEST}; load large parts from an origin in \
             `csp(resource = …)`, or from a resource of the server",
            metadata.len()
        ));
    }
    String::from_utf8(fs::read(path).map_err(unreadable)?).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        let (line, column) = position(&before, before.len());
        format!("`{name}` is not UTF-8 from line {line}, column {column} on; save the file as UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_files_that_cannot_be_a_page() {
        let folder = std::env::temp_dir().join(format!("mcp_view_{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let problem = |content: &[u8]| {
            let path = folder.join("page.html");
            fs::write(&path, content).expect("a file");
            text(&path, "page.html").err().unwrap_or_default()
        };
        assert_eq!(problem(b"<!doctype html>"), "");
        assert_eq!(problem(&vec![b' '; 1 << 20]), "");
        assert!(
            problem(&vec![b' '; (1 << 20) + 1]).starts_with("`page.html` has 1048577 bytes, but a page has at most")
        );
        assert!(problem(b"a\n\xc3\xa4\xff").starts_with("`page.html` is not UTF-8 from line 2, column 2 on"));
        assert_eq!(text(&folder, "a").unwrap_err(), "`a` is not a file; write the path of the page");
        fs::remove_dir_all(&folder).expect("the folder");
        assert!(text(&folder, "a").unwrap_err().starts_with("`a` does not exist; the path is relative"));
    }
}
