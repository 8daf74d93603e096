//! The testing kit.

mod replays;
mod support;
mod tools;

mod fits;
mod misfits;
mod modes;
mod unlike;
