//! The ledgers of a server. Each call has its record in one of them, which its states name by their ledger id.
//!
//! So the ledgers need not know each other, the rules for one ledger hold for each call, and every instance finds the
//! ledger of a call, whatever the order of its list.

use std::{sync::Arc, time::Duration};

use super::{cipher::OutcomeCipher, claims::Claims};
use crate::engine::{
    call::{call_id::CallId, lease::LedgerError},
    durable::ledger::{Ledger, LedgerCapacity, LedgerId},
};

/// The ledgers that an author chose. The first one also has what is found by its name: calls with an idempotency key,
/// and the entries that are not records of calls. Where these are must not change when a ledger is added.
#[derive(Clone)]
pub(crate) struct LedgerShards(Vec<LedgerShard>);

#[derive(Clone)]
pub(crate) struct LedgerShard {
    pub(crate) ledger: Arc<dyn Ledger>,
    /// Whether the ledger gets no new calls, because it will be removed.
    pub(crate) drains: bool,
}

/// The claims in each ledger of a server.
pub(crate) struct ShardClaims(Vec<ShardClaim>);

struct ShardClaim {
    claims: Arc<Claims>,
    drains: bool,
}

impl LedgerShards {
    pub(crate) fn new(first: Arc<dyn Ledger>) -> Self {
        Self(vec![LedgerShard { ledger: first, drains: false }])
    }

    pub(crate) fn push(&mut self, shard: LedgerShard) {
        self.0.push(shard);
    }

    /// Whether other processes can read a ledger.
    pub(crate) fn is_shared(&self) -> bool {
        self.0.iter().any(|shard| shard.ledger.is_shared())
    }

    pub(crate) fn into_first(mut self) -> Arc<dyn Ledger> {
        self.0.swap_remove(0).ledger
    }

    /// Returns the ledgers that get new calls.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Arc<dyn Ledger>> {
        self.0.iter().filter(|shard| !shard.drains).map(|shard| &shard.ledger)
    }
}

impl IntoIterator for LedgerShards {
    type Item = LedgerShard;
    type IntoIter = std::vec::IntoIter<LedgerShard>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl ShardClaims {
    pub(crate) fn new(shards: LedgerShards, lease: Duration, cipher: Option<&Arc<dyn OutcomeCipher>>) -> Self {
        let claims = shards.into_iter().map(|LedgerShard { ledger, drains }| {
            let cipher = cipher.filter(|_| ledger.is_shared()).cloned();
            ShardClaim { claims: Claims::new(ledger, lease, cipher), drains }
        });
        Self(claims.collect())
    }

    /// Returns whether all ledgers are in memory. Each operation of such a ledger completes when it is first polled.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.0.iter().all(|shard| shard.claims.is_in_memory())
    }

    /// Returns the claims in the first ledger.
    pub(crate) fn first(&self) -> &Arc<Claims> {
        &self.0[0].claims
    }

    /// Returns the claims in the ledger of a new call, as far as this process knows without asking a ledger. A ledger
    /// that is full or has failed a short time ago gets no new calls, if there is another one.
    pub(crate) fn of_new_call(&self, call: CallId) -> &Arc<Claims> {
        if let [only] = &*self.0 {
            return &only.claims;
        }
        let active = || self.0.iter().filter(|shard| !shard.drains).map(|shard| &shard.claims);
        let usable = || active().filter(|claims| claims.takes_new_calls());
        let chosen = usable().nth(place_of(call, usable().count()));
        chosen.or_else(|| active().nth(place_of(call, active().count()))).unwrap_or_else(|| self.first())
    }

    /// Returns the claims in the ledger of a new call, and the id of the ledger.
    ///
    /// # Errors
    /// Fails if no ledger that gets new calls can be asked for its id.
    pub(crate) async fn begin(&self, call: CallId) -> Result<(&Arc<Claims>, LedgerId), LedgerError> {
        for _ in 1..self.0.len() {
            let claims = self.of_new_call(call);
            if claims.works().await
                && let Ok(id) = claims.ledger_id().await
            {
                return Ok((claims, id));
            }
        }
        let claims = self.of_new_call(call);
        Ok((claims, claims.ledger_id().await?))
    }

    /// Returns the claims in the ledger with this id, or `None` if the server has no such ledger.
    ///
    /// # Errors
    /// Fails if no known ledger has this id, but the id of a ledger is unknown because it cannot be asked.
    pub(crate) async fn find(&self, id: LedgerId) -> Result<Option<&Arc<Claims>>, LedgerError> {
        // Not delayed by another ledger that does not answer.
        if let Some(shard) = self.0.iter().find(|shard| shard.claims.known_id() == Some(id)) {
            return Ok(Some(&shard.claims));
        }
        let mut unknown = None;
        for ShardClaim { claims, .. } in &self.0 {
            match claims.ledger_id().await {
                Ok(found) if found == id => return Ok(Some(claims)),
                Ok(_) => {}
                Err(error) => unknown = Some(error),
            }
        }
        unknown.map_or(Ok(None), Err)
    }

    /// Returns the room for new calls, if known, in the ledger that has most.
    pub(crate) fn room(&self) -> Option<LedgerCapacity> {
        let rooms = self.0.iter().filter(|shard| !shard.drains).map(|shard| shard.claims.room());
        rooms.max_by_key(|room| room.map_or(usize::MAX, |room| room.entries)).flatten()
    }

    /// Returns the difference between this machine's wall clock and the time of a ledger, or `None` if all differences
    /// are small enough.
    pub(crate) fn skew(&self) -> Option<String> {
        self.0.iter().find_map(|shard| shard.claims.skew())
    }
}

/// Returns a number below `count`. The calls of a process have consecutive numbers, and the multiples of the golden ratio
/// are spread evenly. So each ledger gets its share, also if only each second or third call asks.
fn place_of(CallId(number, _): CallId, count: usize) -> usize {
    const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    let spread = number.wrapping_mul(GOLDEN_RATIO);
    ((u128::from(spread) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;
    use crate::engine::durable::ledger::{LEASE, MemoryLedger};

    fn shards(drains: &[bool]) -> ShardClaims {
        let mut shards = LedgerShards::new(Arc::new(MemoryLedger::new()));
        for &drains in drains {
            shards.push(LedgerShard { ledger: Arc::new(MemoryLedger::new()), drains });
        }
        ShardClaims::new(shards, LEASE, None)
    }

    /// Returns how many of 1,000 calls each ledger gets. The numbers of two calls differ by `step`.
    fn shares(shards: &ShardClaims, step: u64) -> Vec<usize> {
        let mut shares = vec![0; shards.0.len()];
        let CallId(first, _) = CallId::random();
        for index in 0..1000 {
            let claims = shards.of_new_call(CallId(first.wrapping_add(index * step), 0));
            shares[shards.0.iter().position(|shard| Arc::ptr_eq(&shard.claims, claims)).unwrap()] += 1;
        }
        shares
    }

    #[test]
    fn each_ledger_gets_its_share_of_new_calls() {
        for count in [2, 3, 4] {
            for step in [1, 2, 3, 7] {
                let shares = shares(&shards(&vec![false; count - 1]), step);
                let fair = 1000 / count;
                assert!(shares.iter().all(|share| share.abs_diff(fair) * 20 <= fair), "{step}: {shares:?}");
            }
        }
    }

    #[test]
    fn draining_ledger_gets_no_new_calls() {
        let shares = shares(&shards(&[true, false]), 1);
        assert_eq!(shares[1], 0);
        assert!(shares[0].abs_diff(500) <= 25, "{shares:?}");
    }

    #[tokio::test]
    async fn ledger_that_failed_gets_no_new_calls_for_a_while() {
        let shards = shards(&[false, false]);
        shards.0[1].claims.has_failed();
        let shares = shares(&shards, 1);
        assert_eq!(shares[1], 0);
        assert!(shares[0].abs_diff(500) <= 25, "{shares:?}");
        // If all have failed, the error of one of them reaches the client.
        [0, 2].iter().for_each(|shard| shards.0[*shard].claims.has_failed());
        assert!(self::shares(&shards, 1).iter().all(|share| 300 < *share));
    }

    #[tokio::test(start_paused = true)]
    async fn ledger_that_failed_is_asked_before_it_gets_new_calls() {
        let shards = shards(&[false]);
        let begun_in_second = async || {
            let mut begun = 0;
            for _ in 0..100 {
                let (claims, _) = shards.begin(CallId::random()).await.unwrap();
                begun += usize::from(Arc::ptr_eq(claims, &shards.0[1].claims));
            }
            begun
        };
        shards.0[1].claims.has_failed();
        assert_eq!(begun_in_second().await, 0);
        advance(Duration::from_secs(11)).await;
        assert!(begun_in_second().await > 20, "it works again");
    }

    #[tokio::test]
    async fn ledger_of_a_state_is_found_by_its_id() {
        let shards = shards(&[false, true]);
        for shard in &shards.0 {
            let id = shard.claims.ledger_id().await.unwrap();
            let found = shards.find(id).await.unwrap().expect("it is there");
            assert!(Arc::ptr_eq(found, &shard.claims));
        }
        assert!(shards.find(LedgerId::random()).await.unwrap().is_none());
    }
}
