//! Tests of the ledger.

mod claims;
mod contract;
mod faults;
mod format;
pub(crate) mod forwarding;
mod gate;
mod interrupted;
mod journal;
mod memory;
mod model;
mod record;
mod steps;
mod values;

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use self::gate::Gate;
use super::{
    LedgerId, LedgerKey, MemoryLedger, RecordKey,
    claim::{Claim, ClaimOutcome, Claims, Turn},
};
use crate::engine::{
    call::{call_id::CallId, lease::LedgerError},
    durable::ledger::record::LEASE,
};

const HOUR: Duration = Duration::from_secs(3600);
const SECOND: Duration = Duration::from_secs(1);

/// A call, and the instances of a server that can serve its rounds.
struct Call {
    id: LedgerId,
    gate: Gate,
    instances: Vec<Arc<Claims>>,
}

impl Call {
    fn of(instances: usize) -> Self {
        Self::over(MemoryLedger::new(), instances)
    }

    fn over(ledger: MemoryLedger, instances: usize) -> Self {
        let gate = Gate::new(ledger);
        let id = gate.id_now();
        let instances = (0..instances).map(|_| Claims::new(Arc::new(gate.clone()), LEASE, None)).collect();
        Self { id, gate, instances }
    }

    /// Returns the name of the call's record.
    fn key(&self) -> LedgerKey<'_> {
        LedgerKey::new(self.id, "00000000000000010000000000000002")
    }

    fn turn(&self, round: u32) -> Turn {
        let key = RecordKey { ledger: self.id, call: CallId(1, 2) };
        Turn { key, round, first: 1, anywhere: false, again: false, expires: None, keep: HOUR }
    }

    async fn try_claim(&self, round: u32) -> Result<ClaimOutcome, LedgerError> {
        self.instances[0].claim_round(self.turn(round), || true).await
    }

    async fn try_claim_at(&self, instance: usize, round: u32) -> ClaimOutcome {
        self.instances[instance].claim_round(self.turn(round), || true).await.unwrap()
    }

    async fn claim(&self, round: u32) -> Arc<Claim> {
        self.claim_at(0, round).await
    }

    async fn claim_at(&self, instance: usize, round: u32) -> Arc<Claim> {
        claimed(self.try_claim_at(instance, round).await)
    }

    /// Returns the recorded reply to this round. Panics if the round has no recorded reply.
    async fn reply(&self, round: u32) -> String {
        replied(&self.try_claim(round).await.unwrap())
    }
}

fn claimed(outcome: ClaimOutcome) -> Arc<Claim> {
    match outcome {
        ClaimOutcome::Run(claim) => claim,
        other => panic!("{other:?}"),
    }
}

fn replied(outcome: &ClaimOutcome) -> String {
    match outcome {
        ClaimOutcome::Reply(reply) => String::from_utf8(reply.to_vec()).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Simulates that the instance is killed, which does not release its claim.
fn killed(claim: Arc<Claim>) {
    std::mem::forget(claim);
}

fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future is pending"),
    }
}
