//! The link from a floor to the floors below it in the table of `ARCHITECTURE.md`.

/// Represents the crate. A floor declares a trait with what it needs from lower floors, and a lower floor implements
/// that trait for this type. The compiler resolves it, so the linker still drops what a program does not use.
pub(crate) struct Runtime;
