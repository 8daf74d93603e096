//! The reach of the guarantee that `after` runs once.

/// The reach of the guarantee that `after` never begins twice in a call. See [`Server::once`](crate::Server::once).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Once {
    /// Within the reach of the ledger: an instance rejects a state that was written with another ledger.
    #[default]
    PerLedger,
    /// Within each instance: an instance accepts every state that was sealed with its keys, and the call can run once
    /// on each instance.
    PerInstance,
}
