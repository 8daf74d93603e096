//! The code of the page `actions`.
