//! The record of a call in a ledger, as the call sees it: its ids and rounds, its lease, the ledger's time and errors.

pub(crate) mod call_id;
pub(crate) mod entry_slice;
pub(crate) mod lease;
pub(crate) mod ledger_time;
pub(crate) mod step_error;
