//! The code of the page `upgrading`.
