//! The testing kit.

mod tools;

mod fits;
mod misfits;
mod modes;
