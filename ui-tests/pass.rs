//! Programs that must compile and run, each in a module. `build.rs` takes them from `pass/`.
#![allow(warnings, reason = "a program denies itself what it must not do")]

include!(concat!(env!("OUT_DIR"), "/pass.rs"));
