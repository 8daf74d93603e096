//! The code of the page `observing`.
