//! Parks calls, and drops those that expire while they wait.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::sleep;

use super::{Durable, parked::Keep};
use crate::engine::call::{call_id::Place, running::Running};

/// The interval at which expired calls are dropped.
const SWEEP: Duration = Duration::from_secs(30);

impl Durable {
    /// Parks a call until its next round.
    pub(super) fn park(self: &Arc<Self>, place: Place, running: Box<Running>, keep: Keep) {
        if self.parking.park(place, running, keep) {
            tokio::spawn(sweep(ParkingSweeper(Arc::downgrade(self))));
        }
    }
}

/// Drops expired calls. At most one task of a server has this value.
struct ParkingSweeper(Weak<Durable>);

async fn sweep(mut sweeper: ParkingSweeper) {
    loop {
        sleep(SWEEP).await;
        let Some(durable) = sweeper.0.upgrade() else { return };
        durable.parking.sweep();
        let open = durable.quotas.get().is_some_and(|quotas| quotas.sweep());
        if !open && durable.parking.end_sweeping() {
            durable.request_states.forget();
            sweeper.0 = Weak::new();
            return;
        }
    }
}

impl Drop for ParkingSweeper {
    /// Clears `swept`, so that the server can start a new task if the async runtime ends before the server.
    fn drop(&mut self) {
        if let Some(durable) = self.0.upgrade() {
            durable.parking.stop_sweeping();
        }
    }
}
