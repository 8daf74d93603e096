//! The testing kit.

mod support;
mod tools;

mod fits;
mod misfits;
mod modes;
mod replays;
mod tried;
mod unlike;
