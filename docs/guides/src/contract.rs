//! The code of the page `contract`.
