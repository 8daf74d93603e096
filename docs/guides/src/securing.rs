//! The code of the page `securing`.
