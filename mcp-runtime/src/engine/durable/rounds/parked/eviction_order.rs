//! The order in which parked calls are evicted.

use std::collections::VecDeque;

use crate::engine::call::call_id::CallId;

/// The calls of one owner, or of all owners, in the order in which they are evicted: rebuildable calls first, and older
/// calls before newer ones.
#[derive(Default)]
pub(super) struct EvictionOrder {
    rebuildable: CallQueue,
    others: CallQueue,
}

/// What is lost when a call is evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Loss {
    /// Eviction costs only time, because the call can be rebuilt from the state that its client has.
    Time,
    Call,
}

/// A call in a queue, and the number of its entry. A call that was removed and inserted again has another number.
#[derive(Clone, Copy)]
pub(super) struct QueuedCall {
    pub(super) call: CallId,
    pub(super) number: u64,
}

/// Calls in the order in which they were inserted.
#[derive(Default)]
struct CallQueue {
    /// Can also contain calls that were removed.
    queue: VecDeque<QueuedCall>,
    /// The number of calls that were not removed.
    present: usize,
}

/// A queue with fewer removed calls than this is not cleaned.
const FEW: usize = 16;

impl EvictionOrder {
    pub(super) fn len(&self) -> usize {
        self.rebuildable.present + self.others.present
    }

    /// Returns the number of rebuildable calls.
    pub(super) fn rebuildable(&self) -> usize {
        self.rebuildable.present
    }

    pub(super) fn push(&mut self, loss: Loss, call: QueuedCall) {
        let queue = self.queue(loss);
        queue.queue.push_back(call);
        queue.present += 1;
    }

    /// Records that a call was removed. `is_present` returns whether a call was not removed.
    pub(super) fn removed(&mut self, loss: Loss, is_present: impl Fn(QueuedCall) -> bool) {
        let CallQueue { queue, present } = self.queue(loss);
        *present -= 1;
        if *present == 0 {
            queue.clear();
        } else if queue.len() > 2 * *present + FEW {
            queue.retain(|call| is_present(*call));
        }
        if queue.capacity() > 8 * (*present + FEW) {
            queue.shrink_to(2 * (*present + FEW));
        }
    }

    /// Returns the first call whose loss is at most `most`.
    pub(super) fn first(&mut self, most: Loss, is_present: impl Fn(QueuedCall) -> bool) -> Option<CallId> {
        let rebuildable = self.rebuildable.first(&is_present);
        if most == Loss::Time { rebuildable } else { rebuildable.or_else(|| self.others.first(&is_present)) }
    }

    fn queue(&mut self, loss: Loss) -> &mut CallQueue {
        match loss {
            Loss::Time => &mut self.rebuildable,
            Loss::Call => &mut self.others,
        }
    }
}

impl CallQueue {
    fn first(&mut self, is_present: impl Fn(QueuedCall) -> bool) -> Option<CallId> {
        while let Some(first) = self.queue.front() {
            if is_present(*first) {
                return Some(first.call);
            }
            self.queue.pop_front();
        }
        None
    }
}

#[cfg(test)]
impl EvictionOrder {
    /// Returns all calls, in order. Asserts that the counts and the limits of the queues are right.
    pub(super) fn calls(&self, is_present: impl Fn(QueuedCall) -> bool) -> Vec<CallId> {
        let of = |CallQueue { queue, present }: &CallQueue| {
            let calls: Vec<_> = queue.iter().filter(|call| is_present(**call)).map(|queued| queued.call).collect();
            assert_eq!(calls.len(), *present);
            assert!(queue.len() <= 2 * present + FEW + 1);
            calls
        };
        [of(&self.rebuildable), of(&self.others)].concat()
    }
}
