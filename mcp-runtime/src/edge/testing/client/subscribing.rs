//! Subscriptions of the scripted client.

use std::time::Duration;

use super::{Client, call_driver::with_course};
use crate::edge::testing::observed::notice::Notice;

impl Client {
    /// Subscribes to these notices in the way that the client's revision provides. A session uses
    /// `resources/subscribe`. Since 2026-07-28, the client uses `subscriptions/listen`. The client stays subscribed
    /// while it makes calls. A second subscription replaces the first.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::{Revision, prelude::*, resource::ResourceList, testing::{Client, Notice}};
    ///
    /// /// The latest news.
    /// #[mcp_resource("news://latest")]
    /// async fn news() -> &'static str {
    ///     "nothing new"
    /// }
    ///
    /// /// Publishes news.
    /// #[mcp_tool]
    /// async fn publish(resources: &ResourceList) {
    ///     resources.updated("news://latest");
    /// }
    ///
    /// let server = Server::new("press", "1.0.0").dynamic_resources().resources(resources![news]);
    /// let service = server.tools(tools![publish]).build().unwrap();
    /// for revision in Revision::ALL {
    ///     let mut client = Client::new(&service, revision);
    ///     let updated = Notice::Updated("news://latest".to_owned());
    ///     client.subscribed([updated.clone()]).await;
    ///     client.call("publish", ()).await;
    ///     assert_eq!(client.notice().await, updated);
    ///     client.unsubscribed().await;
    ///     client.call("publish", ()).await;
    ///     assert_eq!(client.notices(Duration::from_millis(50)).await, []);
    /// }
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if the server refuses the subscription or a part of it.
    pub async fn subscribed(&mut self, to: impl IntoIterator<Item = Notice>) {
        let wanted = to.into_iter().collect();
        with_course(self, async |course| course.subscribe(wanted).await).await;
    }

    /// Ends the subscription. Notices that have already arrived can still be read.
    ///
    /// # Panics
    /// Panics if the server refuses to end the subscription.
    pub async fn unsubscribed(&mut self) {
        with_course(self, async |course| course.unsubscribe().await).await;
    }

    /// Waits for the next notice.
    ///
    /// # Panics
    /// Panics if no notice arrives within the [limit](Self::limit) of the client.
    pub async fn notice(&mut self) -> Notice {
        let limit = self.settings.limit;
        let notice = with_course(self, async |course| course.next_notice(limit).await).await;
        notice.unwrap_or_else(|| panic!("no notice came within {limit:?}\n\nmessages:\n{}", self.transcript()))
    }

    /// Returns all notices that arrive within this time. A test that expects no more notices can compare the result
    /// with `[]`. After a change, a server waits about 10 milliseconds before it sends the notice.
    pub async fn notices(&mut self, within: Duration) -> Vec<Notice> {
        let end = tokio::time::Instant::now() + within;
        let mut notices = Vec::new();
        loop {
            let left = end.saturating_duration_since(tokio::time::Instant::now());
            match with_course(self, async |course| course.next_notice(left).await).await {
                Some(notice) => notices.push(notice),
                None => return notices,
            }
        }
    }
}
