//! JSON values that are read once and compared as JSON Schema does.

pub(crate) mod instance;
pub(crate) mod number;
pub(crate) mod read;
pub(crate) mod types;
