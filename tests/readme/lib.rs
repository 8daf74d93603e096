//! Programs of a reader of README.md, who pastes each of its blocks below those before.
// What serves a tool comes before the tool.
#![allow(dead_code)]

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
