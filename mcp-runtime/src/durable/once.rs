//! The scope of the guarantee that `after` runs once: all instances that share a ledger, or each instance.

/// The scope of the guarantee that `after` never begins twice in a call. See [`Server::once`](crate::Server::once).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Once {
    /// Across all instances that share a ledger: an instance rejects a state that was written with another ledger.
    #[default]
    PerLedger,
    /// Within each instance: an instance accepts every state that was sealed with its keys, and the call can run once
    /// on each instance.
    PerInstance,
}
