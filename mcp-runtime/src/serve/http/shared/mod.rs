//! What all endpoints of a service share: its settings over HTTP, its health, its shutdown, and warnings for the operator.

mod health;
#[cfg(any(feature = "dev", feature = "plugin"))]
pub(crate) mod json_body;
pub(super) mod lifecycle;
pub(crate) mod root_page;
pub(super) mod settings;
#[cfg(any(feature = "dev", feature = "plugin"))]
pub(crate) mod view_frame;
pub(super) mod warnings;
