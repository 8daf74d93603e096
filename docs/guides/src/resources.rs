//! The code of the page `resources`.
