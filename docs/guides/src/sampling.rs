//! The code of the page `sampling`.
