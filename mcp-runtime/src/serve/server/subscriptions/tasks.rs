//! Notices about tasks, which a client names in `subscriptions/listen`.

use std::{future::poll_fn, pin::pin, task::Poll, time::Duration};

use tokio::time::sleep;

use super::{Subscription, filter::Filter};
use crate::{
    engine::call::Call,
    serve::server::core::{
        extension::{ChangedTask, FollowedTasks},
        service::Inner,
    },
};

/// How long changes are gathered. Changes that follow each other closely become one notice.
const GATHERED: Duration = Duration::from_millis(10);

impl Subscription {
    /// Sends notices, including notices about these tasks, until the server ends the subscription.
    pub(super) async fn listen_to_tasks(&self, mut filter: Filter, ids: Vec<String>, call: Call) {
        let server: Option<&Inner> = call.0.server.get();
        let found = server.and_then(|server| server.extensions.iter().find_map(|it| it.find_tasks(&call, &ids)));
        let Some(tasks) = found else {
            self.open(filter);
            return self.subscriber.wait_for_end().await;
        };
        let mut tasks = tasks.await;
        filter.tasks = tasks.ids();
        self.open(filter);
        let (mut ended, mut following) = (pin!(self.subscriber.wait_for_end()), pin!(self.follow(&mut *tasks)));
        poll_fn(|cx| match following.as_mut().poll(cx) {
            Poll::Ready(never) => match never {},
            Poll::Pending => ended.as_mut().poll(cx),
        })
        .await;
    }

    async fn follow(&self, tasks: &mut dyn FollowedTasks) -> std::convert::Infallible {
        loop {
            // Until the client has read the earlier notices, no task is read.
            self.subscriber.wait_until_read().await;
            let ChangedTask { task, room } = tasks.changed().await;
            self.subscriber.send_task(task).await;
            self.subscriber.wait_until_read().await;
            drop(room);
            sleep(GATHERED).await;
        }
    }
}
