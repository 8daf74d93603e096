//! The URIs of files. A URI has a prefix, a path, and optionally the part of the file to read.

use std::{borrow::Cow, fmt};

use super::super::uri::{decoded, encoded, is_unreserved};

/// The text before the path in all URIs of a folder. The text ends with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UriPrefix(String);

/// The parsed URI of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileUri<'a> {
    /// The names of the folders and of the file. No name is empty, `.` or `..`, and no name contains a `/` or NUL.
    pub(super) path: Vec<Cow<'a, str>>,
    pub(super) range: ByteRange,
}

/// The part of a file to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteRange {
    pub(super) offset: u64,
    /// The maximum number of bytes that the client wants.
    pub(super) length: Option<u64>,
}

/// The reason why the URI of a file is invalid.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InvalidFileUri {
    /// The path cannot exist.
    Path,
    /// The query is wrong. The text says why, and is sent to the client.
    Query(String),
}

impl UriPrefix {
    pub(super) fn new(text: &str) -> Self {
        Self(if text.ends_with('/') { text.to_owned() } else { format!("{text}/") })
    }

    /// Returns the prefix for a folder of this name.
    pub(super) fn of_folder(name: &str) -> Self {
        Self(format!("dir://{}/", encoded(name, is_unreserved)))
    }

    /// Returns the URI template that matches all URIs with this prefix.
    pub(super) fn template(&self) -> String {
        format!("{}{{+path}}", self.0)
    }

    /// Returns the URI of a file.
    pub(super) fn uri(&self, path: &str) -> String {
        format!("{}{}", self.0, encoded(path, |char| char == '/' || is_unreserved(char)))
    }

    /// Parses the URI of a file.
    pub(super) fn parse<'a>(&self, uri: &'a str) -> Result<FileUri<'a>, InvalidFileUri> {
        let rest = uri.strip_prefix(&*self.0).ok_or(InvalidFileUri::Path)?;
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        if path.contains('#') {
            return Err(InvalidFileUri::Path);
        }
        // Decoded after it is split, so that `%2F` never separates names.
        let name = |text: &'a str| decoded(text).filter(|name| is_name(name)).ok_or(InvalidFileUri::Path);
        let path = path.split('/').map(name).collect::<Result<_, _>>()?;
        let range =
            query.map_or(Ok(ByteRange::default()), |query| ByteRange::parse(query).map_err(InvalidFileUri::Query));
        Ok(FileUri { path, range: range? })
    }
}

/// Returns whether a folder can have an entry of this name. Some systems reject further names.
fn is_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..") && !text.contains(['/', '\0'])
}

impl ByteRange {
    fn parse(query: &str) -> Result<Self, String> {
        let mut range = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let number = value.parse::<u64>().map_err(|_| format!("`{name}` must be a number of bytes"));
            match name {
                "offset" => range.offset = number?,
                "length" => range.length = Some(number?.max(1)),
                _ => return Err("after the `?` of a file's URI, only `offset` and `length` are allowed".to_owned()),
            }
        }
        Ok(range)
    }
}

/// Writes the query of a URI, or nothing for the whole file.
impl fmt::Display for ByteRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.offset, self.length) {
            (0, None) => Ok(()),
            (offset, None) => write!(f, "?offset={offset}"),
            (offset, Some(length)) => write!(f, "?offset={offset}&length={length}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(uri: &str) -> Result<FileUri<'_>, InvalidFileUri> {
        UriPrefix::new("docs://guide").parse(uri)
    }

    #[test]
    fn decodes_each_name_once() {
        let path = parse("docs://guide/a%20b/%C3%A9/x%252e%3F.md").unwrap().path;
        assert_eq!(path, ["a b", "é", "x%2e?.md"]);
    }

    #[test]
    fn a_written_uri_is_read_again() {
        let prefix = UriPrefix::of_folder("my docs");
        for path in ["a.md", "a b/c?d#e.md", "100%/é/[x]", "a\\b:c"] {
            let uri = prefix.uri(path);
            assert_eq!(prefix.parse(&uri).unwrap().path.join("/"), path, "{uri}");
        }
        assert_eq!(prefix.uri("a b"), "dir://my%20docs/a%20b");
    }

    #[test]
    fn rejects_paths_that_leave_or_name_nothing() {
        for uri in [
            "docs://guide/",
            "docs://guide",
            "docs://guides/a",
            "docs://guide//a",
            "docs://guide/a/",
            "docs://guide/..",
            "docs://guide/a/../b",
            "docs://guide/%2e%2e/b",
            "docs://guide/.%2E/b",
            "docs://guide/a%2Fb",
            "docs://guide/a%00b",
            "docs://guide/a#b",
            "docs://guide/%",
            "docs://guide/%C0%AE%C0%AE/b",
        ] {
            assert_eq!(parse(uri), Err(InvalidFileUri::Path), "{uri}");
        }
    }

    #[test]
    fn reads_which_part_of_the_file_is_wanted() {
        let range = |uri: &str| parse(uri).map(|uri| uri.range);
        assert_eq!(range("docs://guide/a"), Ok(ByteRange::default()));
        let part = ByteRange { offset: 7, length: Some(3) };
        assert_eq!(range(&format!("docs://guide/a{part}")), Ok(part));
        assert_eq!(range("docs://guide/a?offset=7"), Ok(ByteRange { offset: 7, length: None }));
        for query in ["offset=-1", "offset=1e3", "length=", "ofset=1", "offset=99999999999999999999"] {
            let read = range(&format!("docs://guide/a?{query}"));
            assert!(matches!(read, Err(InvalidFileUri::Query(_))), "{query}: {read:?}");
        }
    }
}
