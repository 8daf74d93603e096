//! The code of the page `testing`.
