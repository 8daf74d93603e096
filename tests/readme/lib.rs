//! Programs of a reader of README.md, who pastes each of its blocks below those before. It is a test that they compile.
// A block may have what only a later block needs.
#![allow(dead_code, unused_imports)]

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
