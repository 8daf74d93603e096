//! The data of the protocol: its messages, and the differences between its revisions.

pub(crate) mod canonical;
pub(crate) mod capability;
pub(crate) mod content;
pub(crate) mod decimal;
pub(crate) mod elicitation;
pub(crate) mod error;
pub(crate) mod frame;
#[cfg(feature = "http")]
pub(crate) mod headers;
pub(crate) mod icon;
pub(crate) mod id;
pub(crate) mod json;
pub(crate) mod level;
pub(crate) mod message;
pub(crate) mod oversized;
pub(crate) mod params;
pub(crate) mod repeated;
pub(crate) mod result;
pub(crate) mod revision;
pub(crate) mod sampling;
pub(crate) mod scan;
pub(crate) mod text;
pub(crate) mod trace_context;
pub(crate) mod view;
