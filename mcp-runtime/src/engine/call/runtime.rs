//! Lets a module use functions of modules that are below it in the table of `ARCHITECTURE.md`.

/// Represents the crate. A module declares a trait with the functions that it needs, and a lower module implements the
/// trait for this type. The linker still removes functions that a program does not use.
pub(crate) struct Runtime;
