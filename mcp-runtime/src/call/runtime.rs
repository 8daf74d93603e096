//! How a floor uses what stands on a floor below it in the list of `ARCHITECTURE.md`.

/// The crate as a whole. A floor declares a trait with what it needs of lower floors, and a lower floor implements that
/// trait for this type. The compiler resolves it, so the linker still drops what a program does not use.
pub(crate) struct Runtime;
