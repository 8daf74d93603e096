#[path = "mod.rs"]
mod remote;
