//! The data that the page and the command exchange: the types of `dev-page/src/dev-api.d.ts`.

pub(crate) mod call;
pub(crate) mod event;
pub(crate) mod fault;
pub(crate) mod message;
pub(crate) mod new_call;
pub(crate) mod record;
pub(crate) mod state;
#[cfg(test)]
mod tests;
