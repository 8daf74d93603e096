//! The bytes of notices about tasks that clients have not read.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::base::mutex::Mutex;

/// A notice of at most this many bytes is not counted. A subscription has only one unread notice, and the number of
/// subscriptions is limited.
const SMALL: usize = 16 * 1024;
/// The unit of the limits, in bytes.
const UNIT: usize = 1024;
/// The limit of one owner, in units: 4 MiB. A single notice can be larger.
const PER_OWNER: u32 = 4 * 1024;
/// The limit of all owners together, in units: 64 MiB.
const TOTAL: u32 = 64 * 1024;

/// Limits the unread notices of each owner and of all owners.
pub(super) struct UnreadNotices {
    owners: Mutex<HashMap<Option<Box<str>>, Weak<Semaphore>>>,
    total: Arc<Semaphore>,
}

/// The right to send a notice. It is released when this value is dropped.
pub(super) struct NoticeRoom {
    _permits: Vec<OwnedSemaphorePermit>,
}

impl UnreadNotices {
    pub(super) fn new() -> Self {
        Self { owners: Mutex::default(), total: Arc::new(Semaphore::new(TOTAL as usize)) }
    }

    /// Waits until a notice of this many bytes fits into the limits. The notices of one owner are served in order.
    pub(super) async fn room(&self, owner: Option<&str>, bytes: usize) -> NoticeRoom {
        let mut permits = Vec::new();
        if bytes > SMALL {
            let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
            for (limit, most) in [(self.of(owner), PER_OWNER), (Arc::clone(&self.total), TOTAL)] {
                // Fails only if the semaphore is closed, which never happens.
                permits.extend(limit.acquire_many_owned(units.min(most)).await);
            }
        }
        NoticeRoom { _permits: permits }
    }

    fn of(&self, owner: Option<&str>) -> Arc<Semaphore> {
        let (mut owners, owner) = (self.owners.lock(), owner.map(Box::from));
        if let Some(limit) = owners.get(&owner).and_then(Weak::upgrade) {
            return limit;
        }
        // Owners without notices are forgotten.
        owners.retain(|_, limit| limit.strong_count() > 0);
        let limit = Arc::new(Semaphore::new(PER_OWNER as usize));
        owners.insert(owner, Arc::downgrade(&limit));
        limit
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Waker},
    };

    use super::*;

    fn is_ready(room: impl Future<Output = NoticeRoom>) -> bool {
        pin!(room).poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[tokio::test]
    async fn unread_notices_are_limited_for_each_owner_and_for_all() {
        const MIB: usize = 1024 * 1024;
        let unread = UnreadNotices::new();
        let of_ann = unread.room(Some("ann"), 3 * MIB).await;
        assert!(!is_ready(unread.room(Some("ann"), 2 * MIB)), "one owner has at most 4 MiB");
        assert!(is_ready(unread.room(Some("ann"), SMALL)), "small notices are not counted");
        assert!(is_ready(unread.room(None, 20 * MIB)), "a single notice of an owner can be larger");
        drop(of_ann);
        let mut all = Vec::new();
        for number in 0..16 {
            all.push(unread.room(Some(&number.to_string()), 4 * MIB).await);
        }
        assert!(!is_ready(unread.room(Some("ann"), 2 * MIB)), "all owners have at most 64 MiB");
        all.pop();
        assert!(is_ready(unread.room(Some("ann"), 2 * MIB)));
        drop(all);
        drop(unread.room(Some("ann"), 2 * MIB).await);
        drop(unread.room(Some("eve"), 2 * MIB).await);
        assert_eq!(unread.owners.lock().len(), 1, "owners without notices are forgotten");
    }
}
