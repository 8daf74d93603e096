//! Which server processes still run, as far as this process knows.
//!
//! Each process adds one to its counter in the store with every beat. The clocks of the processes do not matter: a
//! process runs if its counter has changed, and has stopped if the counter stays the same for several beats of this
//! process. So a process that has just started knows nothing of the others. It learns it within two heartbeats.

use std::{
    collections::{HashMap, hash_map::Entry},
    time::Duration,
};

use tokio::{sync::watch, time::timeout};

use super::InstanceBeat;
use crate::base::mutex::Mutex;

/// The number of beats in one heartbeat. There are several, so that one late beat causes no harm.
pub(super) const BEATS: u32 = 2;
/// The number of beats without a sign of life after which a process counts as stopped. The last sign of life can be
/// noticed up to one beat late, so the whole time is at most two heartbeats.
const MISSED: u32 = 2 * BEATS - 1;

pub(super) struct Instances {
    others: Mutex<HashMap<String, Seen>>,
    /// Counts the beats of this process.
    beats: watch::Sender<u64>,
}

/// What this process has seen of another process.
#[derive(Default)]
struct Seen {
    /// The counter of the process. `None` if the store had no counter yet.
    count: Option<u64>,
    /// The number of beats in which the counter did not change.
    missed: u32,
    /// Whether the counter has changed since this process first saw it.
    has_beaten: bool,
}

impl Instances {
    pub(super) fn new() -> Self {
        Self { others: Mutex::default(), beats: watch::Sender::new(0) }
    }

    /// Notes the counters in the store. Returns the processes that have stopped.
    pub(super) fn note(&self, own: &str, beats: &[InstanceBeat]) -> Vec<String> {
        let mut others = self.others.lock();
        for beat in beats.iter().filter(|beat| beat.instance != own) {
            others.entry(beat.instance.clone()).or_default();
        }
        let counts: HashMap<_, _> = beats.iter().map(|beat| (&*beat.instance, beat.count)).collect();
        others
            .iter_mut()
            .filter_map(|(instance, seen)| {
                // A process without a counter has stopped, or has not begun to beat.
                seen.note(counts.get(&**instance).copied());
                (seen.missed >= MISSED).then(|| instance.clone())
            })
            .collect()
    }

    /// Forgets a process that has stopped, after its runs were marked as interrupted.
    pub(super) fn forget(&self, instance: &str) {
        self.others.lock().remove(instance);
    }

    /// Marks the end of a beat: the runs of all stopped processes are marked as interrupted.
    pub(super) fn beat_ended(&self) {
        self.beats.send_modify(|beats| *beats += 1);
    }

    /// Waits until it is known whether a process runs, or for the time limit. Returns whether this function had to wait.
    /// If the process has stopped, its runs were marked as interrupted meanwhile.
    pub(super) async fn wait_until_known(&self, instance: &str, limit: Duration) -> bool {
        let mut beats = self.beats.subscribe();
        match self.others.lock().entry(instance.to_owned()) {
            Entry::Occupied(seen) if seen.get().has_beaten => return false,
            Entry::Occupied(_) => {}
            Entry::Vacant(entry) => drop(entry.insert(Seen::default())),
        }
        let is_known = || self.others.lock().get(instance).is_none_or(|seen| seen.has_beaten);
        // After the time limit, the store has failed. The caller then gets what the store last said.
        let _ = timeout(limit, async { while !is_known() && beats.changed().await.is_ok() {} }).await;
        true
    }
}

impl Seen {
    fn note(&mut self, count: Option<u64>) {
        if count == self.count {
            self.missed += 1;
        } else {
            // The first counter that this process sees can be that of a process that has stopped.
            *self = Self { count, missed: 0, has_beaten: self.has_beaten || self.count.is_some() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beats(counts: &[(&str, u64)]) -> Vec<InstanceBeat> {
        counts
            .iter()
            .map(|(instance, count)| InstanceBeat { instance: (*instance).to_owned(), count: *count })
            .collect()
    }

    #[test]
    fn a_process_counts_as_stopped_after_two_heartbeats_without_a_sign_of_life() {
        let instances = Instances::new();
        for count in 1..=20 {
            assert!(instances.note("own", &beats(&[("own", count), ("other", count / 3)])).is_empty(), "{count}");
        }
        let last = beats(&[("own", 1), ("other", 7)]);
        assert!(instances.note("own", &last).is_empty());
        for _ in 1..MISSED {
            assert!(instances.note("own", &last).is_empty());
        }
        assert_eq!(instances.note("own", &last), ["other"]);
    }

    #[test]
    fn a_process_that_never_beat_counts_as_stopped_if_its_run_is_looked_at() {
        let instances = Instances::new();
        let mut look = std::pin::pin!(instances.wait_until_known("other", Duration::MAX));
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _entered = runtime.enter();
        assert!(look.as_mut().poll(&mut cx).is_pending());
        for _ in 1..MISSED {
            assert!(instances.note("own", &beats(&[("own", 1)])).is_empty());
        }
        assert_eq!(instances.note("own", &beats(&[("own", 1)])), ["other"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_look_waits_until_the_process_has_beaten_or_is_forgotten() {
        let instances = Instances::new();
        instances.note("own", &beats(&[("alive", 5), ("dead", 5)]));
        let limit = Duration::from_secs(10);
        let (alive, dead, _) = tokio::join!(
            instances.wait_until_known("alive", limit),
            instances.wait_until_known("dead", limit),
            async {
                instances.note("own", &beats(&[("alive", 6), ("dead", 5)]));
                instances.forget("dead");
                instances.beat_ended();
            }
        );
        assert!(alive && dead);
        assert!(!instances.wait_until_known("alive", limit).await, "the process is known to run");
    }
}
