//! The testing kit.

mod support;
mod tools;

mod cancelled;
mod fits;
mod misfits;
mod models;
mod modes;
mod replays;
mod tried;
mod unlike;
