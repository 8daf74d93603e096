//! Claims the rounds of calls in the ledger.

mod claim_round;
mod claims;
mod held_record;
mod round_lease;
mod skew;
mod state;
mod waiters;

pub(crate) use self::{
    claim_round::ClaimOutcome,
    claims::{Claims, OutcomeCipher, Turn},
    round_lease::Claim,
    skew::skew,
};
