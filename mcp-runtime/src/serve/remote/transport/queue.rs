//! A queue that is limited in bytes. A sender waits while the queue is full, so that a fast side cannot fill the memory
//! with what a slow side has not read yet.

use std::sync::Arc;

use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

/// What an item takes in addition to its own bytes, so that empty items are limited too.
const OVERHEAD: u32 = 256;

/// Creates a queue for about `most` bytes. An item that is larger waits until the queue is empty.
pub(super) fn byte_queue<T>(most: u32) -> (QueueSender<T>, QueueReceiver<T>) {
    let (sender, receiver) = unbounded_channel();
    let space = Arc::new(Semaphore::new(most as usize));
    (QueueSender { sender, space: Arc::clone(&space), most }, QueueReceiver { receiver, space })
}

pub(super) struct QueueSender<T> {
    sender: UnboundedSender<QueuedItem<T>>,
    space: Arc<Semaphore>,
    most: u32,
}

pub(super) struct QueueReceiver<T> {
    receiver: UnboundedReceiver<QueuedItem<T>>,
    space: Arc<Semaphore>,
}

/// An item that was received. It takes space in the queue until it is dropped.
pub(super) struct QueuedItem<T> {
    pub(super) item: T,
    _space: OwnedSemaphorePermit,
}

impl<T> QueueSender<T> {
    /// Waits until there is space for an item of this size, and adds it. Cancel-safe.
    ///
    /// # Errors
    /// Returns the item if the receiver was dropped.
    pub(super) async fn push(&self, item: T, bytes: usize) -> Result<(), T> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX).saturating_add(OVERHEAD).min(self.most);
        let Ok(space) = Arc::clone(&self.space).acquire_many_owned(bytes).await else { return Err(item) };
        self.sender.send(QueuedItem { item, _space: space }).map_err(|unsent| unsent.0.item)
    }
}

impl<T> QueueReceiver<T> {
    /// Waits for the next item. Returns `None` if all senders were dropped. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<QueuedItem<T>> {
        self.receiver.recv().await
    }
}

impl<T> Drop for QueueReceiver<T> {
    fn drop(&mut self) {
        self.space.close();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_sender_waits_until_the_receiver_has_dropped_an_item() {
        let (sender, mut receiver) = byte_queue(2000);
        sender.push("a", 1000).await.unwrap();
        assert!(timeout(Duration::from_secs(9), sender.push("b", 1000)).await.is_err());
        let first = receiver.next().await.unwrap();
        assert!(timeout(Duration::from_secs(9), sender.push("b", 1000)).await.is_err());
        drop(first);
        sender.push("b", 1000).await.unwrap();
        assert_eq!(receiver.next().await.unwrap().item, "b");
    }

    #[tokio::test(start_paused = true)]
    async fn an_item_above_the_limit_passes_alone() {
        let (sender, mut receiver) = byte_queue(2000);
        sender.push("a", 0).await.unwrap();
        assert!(timeout(Duration::from_secs(9), sender.push("b", usize::MAX)).await.is_err());
        drop(receiver.next().await);
        sender.push("b", usize::MAX).await.unwrap();
    }

    #[tokio::test]
    async fn empty_items_are_limited() {
        let (sender, _receiver) = byte_queue(100_000);
        let mut pushed = 0;
        while timeout(Duration::from_millis(10), sender.push("", 0)).await.is_ok() {
            pushed += 1;
        }
        assert!((100..1000).contains(&pushed), "{pushed}");
    }

    #[tokio::test]
    async fn a_waiting_sender_learns_that_the_receiver_is_gone() {
        let (sender, receiver) = byte_queue(500);
        sender.push("a", 500).await.unwrap();
        let (pushed, ()) = tokio::join!(sender.push("b", 500), async { drop(receiver) });
        assert_eq!(pushed, Err("b"));
    }
}
