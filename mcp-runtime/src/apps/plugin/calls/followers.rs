//! The event streams that are open, and their limits.

use std::sync::{
    Arc, Weak,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::Notify;

use super::{
    error::PluginError,
    limits::PluginLimits,
    live::{CallOwner, LiveCall},
};
use crate::base::{
    mutex::Mutex,
    owned::{Amount, OwnedEntries},
};

/// The event streams of a host.
pub(crate) struct Followers {
    open: Mutex<OwnedEntries<CallOwner, Arc<CallFollower>>>,
    limits: PluginLimits,
    /// Whether all streams must end.
    is_over: AtomicBool,
}

/// One event stream of a call. It does not keep a call in memory that ends while it is open.
pub(crate) struct CallFollower {
    call: Weak<LiveCall>,
    /// Notified when an event of the call becomes visible, and when the stream must end.
    pub(crate) changed: Arc<Notify>,
    is_over: AtomicBool,
}

/// The place of a stream among the open streams. Dropping this value releases the place.
pub(crate) struct FollowerPlace {
    followers: Arc<Followers>,
    number: u64,
    follower: Arc<CallFollower>,
    /// A call that had ended before the stream was opened. Nothing else keeps it, if it was loaded from the store.
    _ended: Option<Arc<LiveCall>>,
}

impl Followers {
    pub(crate) fn new(limits: PluginLimits) -> Self {
        let open = Mutex::new(OwnedEntries::new(limits.followers));
        Self { open, limits, is_over: AtomicBool::new(false) }
    }

    /// Opens a stream of this call. If the host has too many, ends the oldest stream of the user who has most.
    ///
    /// # Errors
    /// Fails if the call, the user or the host has too many streams.
    pub(crate) fn follow(self: &Arc<Self>, call: &Arc<LiveCall>) -> Result<FollowerPlace, PluginError> {
        let owner = call.owner_name();
        let follower = Arc::new(CallFollower {
            call: Arc::downgrade(call),
            changed: Arc::clone(call.timeline.changed()),
            is_over: AtomicBool::new(false),
        });
        let mut open = self.open.lock();
        let of_call = open.of(&owner).filter(|other| Arc::ptr_eq(&other.changed, &follower.changed)).count();
        if of_call >= self.limits.followers_per_call {
            return Err(PluginError::TooManyFollowers(format!("this call has {of_call} open event streams")));
        }
        if owner.is_some() && open.excess_of(&owner, Amount::one(0)).is_some() {
            let most = self.limits.followers.each.number;
            return Err(PluginError::TooManyFollowers(format!("you have {most} open event streams")));
        }
        let displaced = open.make_room(&owner, Amount::one(0), |_| true).map_err(|_| PluginError::FollowersFull)?;
        let number = open.insert(owner, Amount::one(0), Arc::clone(&follower));
        drop(open);
        displaced.iter().for_each(|follower| follower.end());
        let ended = (!call.status().is_open()).then(|| Arc::clone(call));
        Ok(FollowerPlace { followers: Arc::clone(self), number, follower, _ended: ended })
    }

    /// Ends all streams, now and in the future.
    pub(crate) fn end_all(&self) {
        self.is_over.store(true, Ordering::Release);
        self.open.lock().values().for_each(|follower| follower.end());
    }
}

impl CallFollower {
    fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.changed.notify_waiters();
    }
}

impl FollowerPlace {
    /// Returns the call. Returns `None` if the stream must end, or if the call is not kept any more.
    pub(crate) fn call(&self) -> Option<Arc<LiveCall>> {
        let is_over = self.followers.is_over.load(Ordering::Acquire) || self.follower.is_over.load(Ordering::Acquire);
        if is_over { None } else { self.follower.call.upgrade() }
    }

    pub(crate) fn changed(&self) -> &Arc<Notify> {
        &self.follower.changed
    }
}

impl Drop for FollowerPlace {
    fn drop(&mut self) {
        self.followers.open.lock().remove(self.number);
    }
}
