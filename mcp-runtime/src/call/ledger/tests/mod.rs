//! The rules of the ledger, each as a test.

mod contract;
mod format;
mod memory;
mod record;
