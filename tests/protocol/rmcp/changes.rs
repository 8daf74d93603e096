//! Lists and resources that change, with the server `changing`.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use ::rmcp::{
    ClientHandler, RoleClient, ServiceError,
    model::{
        ClientConfig, ErrorCode, PaginatedRequestParams, ReadResourceRequestParams, ResourceContents,
        ResourceUpdatedNotificationParam, ServerNotification, SubscribeRequestParams, SubscriptionFilter,
        UnsubscribeRequestParams,
    },
    service::{NotificationContext, Subscription},
};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::{
    call, text,
    ways::{Connected, Way, connect_as, every_way},
};

const PAGE: &str = "test://pages/1";

/// Longer than a notice takes.
const SETTLED: Duration = Duration::from_millis(300);

/// How many notices a hundred changes in a row can be. On a machine that does not pause it is one.
const FEW: usize = 5;

/// Keeps the notices: a list, such as `tools`, or the URI of a resource.
#[derive(Clone)]
struct Notices {
    config: ClientConfig,
    heard: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Notices {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.heard.lock().unwrap().push("tools".to_owned());
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.heard.lock().unwrap().push("prompts".to_owned());
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.heard.lock().unwrap().push("resources".to_owned());
    }

    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.heard.lock().unwrap().push(params.uri);
    }
}

/// Returns the filter of a subscription to all lists and one resource.
fn filter() -> SubscriptionFilter {
    SubscriptionFilter::builder()
        .tools_list_changed()
        .prompts_list_changed()
        .resources_list_changed()
        .resource_subscriptions([PAGE])
        .build()
}

struct Subscriber {
    client: Connected<Notices>,
    heard: Arc<Mutex<Vec<String>>>,
    /// The subscription of the newest revision.
    listening: Option<Subscription>,
}

impl Subscriber {
    async fn connect(program: &str, way: &Way) -> Self {
        let heard = Arc::default();
        let config = ClientConfig::default().with_protocol_version(way.version.clone());
        let client = connect_as(Notices { config, heard: Arc::clone(&heard) }, program, way).await;
        Self { client, heard, listening: None }
    }

    #[expect(deprecated, reason = "sessions subscribe in this way")]
    async fn subscribe(&mut self, way: &Way) {
        if way.is_legacy() {
            self.client.subscribe(SubscribeRequestParams::new(PAGE)).await.unwrap();
        } else {
            self.listening = Some(self.client.listen(filter()).await.unwrap());
        }
    }

    #[expect(deprecated, reason = "sessions subscribe in this way")]
    async fn unsubscribe(&mut self) {
        match self.listening.take() {
            Some(mut listening) => listening.cancel().await.unwrap(),
            None => self.client.unsubscribe(UnsubscribeRequestParams::new(PAGE)).await.unwrap(),
        }
    }

    async fn expect(&mut self, expected: &[&str]) {
        assert_eq!(self.wait(expected.len()).await, expected);
    }

    /// Waits for as many notices, and for those that must not come.
    async fn wait(&mut self, count: usize) -> Vec<String> {
        let start = Instant::now();
        let mut settled = None;
        while settled.is_none_or(|settled: Instant| settled.elapsed() < SETTLED) {
            assert!(start.elapsed() < Duration::from_secs(10), "{:?}", self.heard);
            if let Some(listening) = &mut self.listening
                && let Ok(notice) = timeout(Duration::from_millis(10), listening.next()).await
            {
                self.heard.lock().unwrap().push(match notice.unwrap().expect("the subscription goes on") {
                    ServerNotification::ToolListChangedNotification(_) => "tools".to_owned(),
                    ServerNotification::PromptListChangedNotification(_) => "prompts".to_owned(),
                    ServerNotification::ResourceListChangedNotification(_) => "resources".to_owned(),
                    ServerNotification::ResourceUpdatedNotification(updated) => updated.params.uri,
                    other => panic!("{other:?}"),
                });
            }
            sleep(Duration::from_millis(1)).await;
            if settled.is_none() && self.heard.lock().unwrap().len() >= count {
                settled = Some(Instant::now());
            }
        }
        std::mem::take(&mut *self.heard.lock().unwrap())
    }
}

#[tokio::test]
async fn a_subscriber_gets_one_notice_for_each_change() {
    for way in every_way() {
        let mut subscriber = Subscriber::connect("changing", &way).await;
        subscriber.subscribe(&way).await;
        for name in ["a", "b", "c"] {
            call(&subscriber.client, "add_tools", json!({ "names": [name] })).await;
            subscriber.expect(&["tools"]).await;
        }
        call(&subscriber.client, "update", json!({ "uri": PAGE, "times": 1 })).await;
        subscriber.expect(&[PAGE]).await;
        // Many changes are one notice, or a few if the machine is slow, and others are not the client's.
        call(&subscriber.client, "update", json!({ "uri": PAGE, "times": 100 })).await;
        call(&subscriber.client, "update", json!({ "uri": "test://pages/2", "times": 1 })).await;
        let few = subscriber.wait(1).await;
        assert!((1..=FEW).contains(&few.len()) && few.iter().all(|notice| notice == PAGE), "{few:?}");
        let names: Vec<_> = (0..50).map(|index| format!("tool_{index}")).collect();
        call(&subscriber.client, "add_tools", json!({ "names": names })).await;
        subscriber.expect(&["tools"]).await;
        call(&subscriber.client, "remove", json!({ "list": "prompts", "name": "goodbye" })).await;
        subscriber.expect(&["prompts"]).await;
        call(&subscriber.client, "remove", json!({ "list": "resources", "name": "second_page" })).await;
        subscriber.expect(&["resources"]).await;
        // Nothing has changed.
        call(&subscriber.client, "remove", json!({ "list": "prompts", "name": "goodbye" })).await;
        subscriber.expect(&[]).await;
        subscriber.unsubscribe().await;
        call(&subscriber.client, "update", json!({ "uri": PAGE, "times": 1 })).await;
        subscriber.expect(&[]).await;
        subscriber.client.close().await;
    }
}

#[tokio::test]
#[expect(deprecated, reason = "sessions subscribe in this way")]
async fn a_client_cannot_subscribe_where_nothing_changes() {
    for way in every_way() {
        let Subscriber { client, .. } = Subscriber::connect("hello", &way).await;
        let capabilities = client.peer_info().unwrap().capabilities.clone();
        assert_eq!(capabilities.tools.unwrap().list_changed, None);
        assert_eq!(capabilities.resources, None);
        let error = if way.is_legacy() {
            client.subscribe(SubscribeRequestParams::new(PAGE)).await.unwrap_err()
        } else {
            client.listen(filter()).await.unwrap_err()
        };
        let ServiceError::McpError(error) = error else { panic!("{error:?}") };
        assert_eq!(error.code, ErrorCode::METHOD_NOT_FOUND);
        assert_eq!(text(&call(&client, "greet", json!({ "name": "Ada" })).await), "Hello, Ada!");
        client.close().await;
    }
}

#[tokio::test]
async fn every_list_has_pages() {
    for way in every_way() {
        let Subscriber { client, .. } = Subscriber::connect("changing", &way).await;
        let first = client.list_tools(None).await.unwrap();
        assert_eq!((first.tools.len(), first.next_cursor.is_some()), (2, true));
        let cursor = PaginatedRequestParams::default().with_cursor(first.next_cursor);
        assert_eq!(client.list_tools(Some(cursor)).await.unwrap().tools[0].name, "update");
        let prompts = client.list_all_prompts().await.unwrap();
        assert_eq!(prompts.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["hello", "thanks", "goodbye"]);
        let resources = client.list_all_resources().await.unwrap();
        assert_eq!(resources.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["endless", "first_page", "second_page"]);
        let templates = client.list_all_resource_templates().await.unwrap();
        assert_eq!(templates.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["day", "month", "year"]);
        client.close().await;
    }
}

#[tokio::test]
async fn a_cancelled_read_ends_on_the_server() {
    for way in every_way() {
        let Subscriber { client, .. } = Subscriber::connect("changing", &way).await;
        let start = Instant::now();
        let running = async |count| {
            while text(&call(&client, "reads", json!({})).await) != count {
                assert!(start.elapsed() < Duration::from_secs(10), "{way:?}: not {count}");
            }
        };
        tokio::select! {
            ended = client.read_resource(ReadResourceRequestParams::new("test://endless")) => panic!("{ended:?}"),
            () = running("1") => {}
        }
        running("0").await;
        let read = client.read_resource(ReadResourceRequestParams::new(PAGE)).await.unwrap();
        let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else { panic!("{read:?}") };
        assert_eq!(text, "first");
        client.close().await;
    }
}
