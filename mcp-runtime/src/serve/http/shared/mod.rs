//! What all endpoints of a service share: its settings over HTTP, its health, its shutdown, and warnings for the operator.

mod health;
pub(super) mod lifecycle;
pub(crate) mod root_page;
pub(super) mod settings;
pub(super) mod warnings;
