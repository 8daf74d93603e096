//! The calls of a host, as this process runs them and as the ledger stores them.

pub(crate) mod answer;
mod ended;
pub(crate) mod error;
pub(crate) mod followers;
pub(crate) mod limits;
pub(crate) mod live;
pub(crate) mod record;
pub(crate) mod store;
pub(crate) mod table;
