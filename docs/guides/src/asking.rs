//! The code of the page `asking`.
