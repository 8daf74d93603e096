//! The code of the page `plugin`.
