//! The testing kit.

#[path = "../support/forms.rs"]
mod forms;
mod tools;

mod fits;
mod misfits;
