//! The link from a module to the modules below it in the table of `ARCHITECTURE.md`.

/// Represents the crate. A module declares a trait with what it needs from lower modules, and a lower module
/// implements that trait for this type. The linker still drops what a program does not use.
pub(crate) struct Runtime;
