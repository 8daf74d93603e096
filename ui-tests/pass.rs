//! Programs that must compile and run, each in a module. `build.rs` takes them from `pass/`.
// Only what a program denies itself.
#![allow(warnings, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/pass.rs"));
