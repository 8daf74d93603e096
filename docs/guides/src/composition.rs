//! The code of the page `composition`.
