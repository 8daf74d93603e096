//! The code of the page `many_tools`.
