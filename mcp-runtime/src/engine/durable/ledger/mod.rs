//! The ledger keeps one record per call, so that each round of a call runs once.
//!
//! [`Ledger`] is a small store with one atomic operation, [`Ledger::swap`]. The content and the transitions of a record
//! belong to this crate and are the same for every ledger: `record/` has each transition as a pure function and the
//! encoding of records, and `claim/` claims a round and ends it. A ledger in memory keeps records as values, and changes
//! them in place if they belong to the holder of the claim. All other ledgers keep their encoding. The version of an
//! entry is the fencing token: a writer that has not seen the current version cannot write.
//!
//! A module uses only those before it in this list: `id`, `interface`, then `record`, `expiry`, `tombstone`, `memory`,
//! `quota`, `claim`, `entries`, `contract`.

mod claim;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod contract;
pub(crate) mod entries;
mod expiry;
mod id;
mod interface;
mod memory;
pub(crate) mod quota;
mod record;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tombstone;

#[cfg(feature = "dev")]
pub(crate) use self::claim::InspectedRecord;
pub(crate) use self::{
    claim::{Claim, ClaimOutcome, Claims, LedgerShard, LedgerShards, OutcomeCipher, ShardClaims, Turn},
    expiry::{AGES, smaller_capacity},
    record::{LARGEST_JOURNAL, LEASE, LONGEST_REPLY, RecordKey},
};
pub use self::{
    id::LedgerId,
    interface::{Ledger, LedgerCapacity, LedgerEntry, LedgerFuture, LedgerKey, LedgerVersion, Swapped},
    memory::MemoryLedger,
};
