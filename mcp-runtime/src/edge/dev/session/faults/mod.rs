//! The faults that the page can cause: where each of them acts, what it says, and what it has done.

pub(crate) mod finding;
pub(crate) mod rules;
#[cfg(test)]
mod tests;
