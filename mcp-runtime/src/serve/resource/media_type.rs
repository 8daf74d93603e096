//! The MIME types of files.

use mime_guess::MimeGuess;

/// Returns the MIME type that the file's name suggests. For text, returns `text/plain` if the name has no known type or
/// suggests a type that is not text.
pub(crate) fn media_type(path: &str, is_text: bool) -> Option<&'static str> {
    // `.ts` is also a format for videos, but hardly in a folder of texts.
    let is_typescript = [".ts", ".mts", ".cts"].iter().any(|end| path.ends_with(end));
    let by_name = MimeGuess::from_path(path).first_raw().filter(|_| !is_typescript);
    let is_media = |mime_type: &&str| ["video/", "audio/"].iter().any(|kind| mime_type.starts_with(kind));
    by_name.filter(|mime_type| !is_text || !is_media(mime_type)).or((is_text || is_typescript).then_some("text/plain"))
}
