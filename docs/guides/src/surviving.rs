//! The code of the page `surviving`.
