//! The macro of sampling, documented where it is used from.

pub use mcp_macros::SampleTools;
