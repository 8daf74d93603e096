//! Claims the rounds of calls in the ledger.

mod claim_round;
mod claims;
mod outcome_cipher;
mod round_lease;
mod skew;
mod state;
mod waiters;

#[cfg(feature = "seal")]
pub(crate) use self::outcome_cipher::SealsOutcomes;
#[cfg(feature = "http")]
pub(crate) use self::skew::Skew;
pub(crate) use self::{
    claim_round::ClaimOutcome,
    claims::{Claims, Turn},
    outcome_cipher::OutcomeCipher,
    round_lease::Claim,
};
