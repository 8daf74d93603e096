//! The schemas a tool publishes, and what of them is enforced.
