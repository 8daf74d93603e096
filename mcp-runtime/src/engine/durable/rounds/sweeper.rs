//! Parks calls, and drops those that expire while they wait.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::sleep;

use super::{Durable, parked::ParkOptions};
use crate::engine::call::{call_id::Place, running::Running};

/// The interval at which expired calls are dropped.
const SWEEP: Duration = Duration::from_secs(30);

impl Durable {
    /// Parks a call until its next round.
    pub(super) fn park(self: &Arc<Self>, place: Place, running: Box<Running>, keep: ParkOptions) {
        let durable = Arc::downgrade(self);
        self.parking().park(place, running, keep, || tokio::spawn(sweep(durable)).abort_handle());
    }
}

/// Drops expired calls. At most one task of a server does this.
async fn sweep(durable: Weak<Durable>) {
    loop {
        sleep(SWEEP).await;
        let Some(durable) = durable.upgrade() else { return };
        durable.parking().sweep();
        let open = durable.quotas.get().is_some_and(|quotas| quotas.sweep());
        if !open && durable.parking().end_sweeping() {
            durable.request_states.forget();
            durable.states_in_process.forget();
            return;
        }
    }
}
