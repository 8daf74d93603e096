//! Claims the rounds of calls in the ledger.

mod cipher;
mod claim_round;
mod claims;
mod held_record;
mod round_lease;
mod shards;
mod skew;
mod state;
mod waiters;

pub(crate) use self::{
    cipher::OutcomeCipher,
    claim_round::ClaimOutcome,
    claims::{Claims, Turn},
    round_lease::Claim,
    shards::{LedgerShard, LedgerShards, ShardClaims},
};
