//! The unit tests of the examples: Cargo builds examples as programs, so their tests run from here.

#[allow(dead_code)]
#[path = "../examples/code_search/main.rs"]
mod code_search;

#[allow(dead_code)]
#[path = "../examples/flights/main.rs"]
mod flights;
