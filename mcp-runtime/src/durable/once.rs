//! How far the promise of `after` reaches.

/// How far the promise reaches that `after` never begins twice in a call. See [`Server::once`](crate::Server::once).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Once {
    /// Within the reach of the ledger: an instance rejects a state that was written with another ledger.
    #[default]
    PerLedger,
    /// Within each instance: an instance accepts every state that was sealed with its keys, and the call may run once on
    /// each instance.
    PerInstance,
}
