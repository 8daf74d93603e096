//! The scope of the guarantee that `after` runs once: all instances that share a ledger, or each instance alone.
//!
//! The second one is for instances without a common ledger. With three of them, behind a balancer that picks one at
//! random, one of nine calls with two questions stays at the instance where it began, and the others are rejected. With
//! it, every call ends.

/// The scope of the guarantee that `after` never begins twice in a call. See [`Server::once`](crate::Server::once).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Once {
    /// `after` runs once on all instances that share a ledger. An instance rejects a state that names another ledger.
    #[default]
    PerLedger,
    /// `after` can run once on each instance. An instance accepts every state that was sealed with its keys, even if
    /// the state names another ledger.
    PerInstance,
}
