//! Claims the rounds of calls in the ledger.

mod cipher;
mod claim_round;
mod claims;
mod held_record;
#[cfg(feature = "dev")]
mod inspect;
mod round_lease;
mod shards;
mod skew;
mod state;
mod waiters;

#[cfg(feature = "dev")]
pub(crate) use self::inspect::InspectedRecord;
pub(crate) use self::{
    cipher::OutcomeCipher,
    claim_round::ClaimOutcome,
    claims::{Claims, Turn},
    round_lease::Claim,
    shards::{LedgerShard, LedgerShards, ShardClaims},
};
