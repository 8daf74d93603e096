//! The code of the page `deploying`.
