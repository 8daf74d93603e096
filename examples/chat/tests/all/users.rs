//! Who is a user, and what the program keeps for users.

use std::{fs, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request, StatusCode, header},
    response::Response,
};
use chat::{Chat, Limits, Settings};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::support::Folder;

/// The end of the assistant's work.
const DONE: &str = r#""type":"done""#;

/// A browser: it keeps the cookie.
#[derive(Clone)]
struct Browser {
    app: Router,
    cookie: Option<String>,
    address: [u8; 4],
}

impl Browser {
    fn new(chat: &Chat) -> Self {
        Self { app: chat.router(), cookie: None, address: [192, 0, 2, 1] }
    }

    /// Opens the page, which sets the cookie.
    async fn open(chat: &Chat) -> Self {
        let mut browser = Self::new(chat);
        let page = browser.send(Method::GET, "/", None).await;
        assert_eq!(page.status(), StatusCode::OK);
        let cookie = page.headers()[header::SET_COOKIE].to_str().unwrap();
        browser.cookie = Some(cookie.split(';').next().unwrap().to_owned());
        browser
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1");
        request = request.extension(ConnectInfo(std::net::SocketAddr::from((self.address, 4321))));
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap()
    }

    async fn say(&self, text: &str) -> Response {
        self.send(Method::POST, "/api/chat/messages", Some(json!({ "text": text }))).await
    }

    /// Says something, and waits for the answer.
    async fn talk(&self, text: &str) {
        assert_eq!(self.say(text).await.status(), StatusCode::ACCEPTED);
        self.read_until(|read| read.split_once(text).is_some_and(|(_, rest)| rest.contains(DONE))).await;
    }

    /// Reads the conversation until it is as expected.
    async fn read_until(&self, is_expected: impl Fn(&str) -> bool) -> String {
        let stream = self.send(Method::GET, "/api/chat", None).await;
        assert_eq!(stream.status(), StatusCode::OK);
        let mut stream = stream.into_body().into_data_stream();
        let mut text = String::new();
        while !is_expected(&text) {
            let next = tokio::time::timeout(Duration::from_secs(20), stream.next()).await.expect("an event");
            text.push_str(str::from_utf8(&next.expect("the words come").unwrap()).unwrap());
        }
        text
    }

    async fn clear(&self) {
        assert_eq!(self.send(Method::DELETE, "/api/chat", None).await.status(), StatusCode::NO_CONTENT);
    }
}

async fn start(folder: &Folder, limits: Limits) -> Chat {
    Chat::start(Settings { limits, ..Settings::new(&folder.0) }).await.unwrap()
}

async fn code(response: Response) -> (StatusCode, String) {
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    (status, body["error"]["code"].as_str().unwrap().to_owned())
}

/// Returns the number of stored conversations.
fn stored(folder: &Folder) -> usize {
    fs::read_dir(folder.0.join("conversations")).unwrap().count()
}

#[cfg(target_os = "linux")]
fn conversations_held_open(folder: &Folder) -> usize {
    let links = fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    links.filter(|path| path.starts_with(folder.0.join("conversations"))).count()
}

#[tokio::test]
async fn requests_without_a_cookie_make_no_user() {
    let folder = Folder::new();
    let browser = Browser::new(&folder.start().await);
    for _ in 0..1_008 {
        let stopped = browser.send(Method::POST, "/api/chat/stop", None).await;
        assert!(stopped.headers().get(header::SET_COOKIE).is_none());
        assert_eq!(code(stopped).await, (StatusCode::UNAUTHORIZED, "no_user".to_owned()));
    }
    for (method, path) in [(Method::DELETE, "/api/chat"), (Method::GET, "/api/chat"), (Method::GET, "/plugins/calls")] {
        assert_eq!(browser.send(method, path, None).await.status(), StatusCode::UNAUTHORIZED);
    }
    assert_eq!(code(browser.say("hello").await).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(stored(&folder), 0);
}

#[tokio::test]
async fn a_user_is_made_by_the_first_message() {
    let folder = Folder::new();
    let browser = Browser::open(&folder.start().await).await;
    assert_eq!(browser.send(Method::POST, "/api/chat/stop", None).await.status(), StatusCode::ACCEPTED);
    browser.clear().await;
    browser.read_until(|read| read.contains("begin")).await;
    assert_eq!(stored(&folder), 0);
    browser.talk("hello").await;
    assert_eq!(stored(&folder), 1);
    browser.clear().await;
    assert_eq!(stored(&folder), 0);
    browser.talk("hello again").await;
}

#[tokio::test]
async fn a_new_conversation_makes_no_new_user() {
    let folder = Folder::new();
    let chat = start(&folder, Limits { new_users_per_address: 1, ..Limits::default() }).await;
    let browser = Browser::open(&chat).await;
    for _ in 0..3 {
        browser.talk("hello").await;
        browser.clear().await;
    }
}

#[tokio::test]
async fn a_forged_cookie_is_no_user() {
    let folder = Folder::new();
    let chat = folder.start().await;
    let mut browser = Browser::open(&chat).await;
    let real = browser.cookie.clone().unwrap();
    let other_folder = Folder::new();
    let signed_elsewhere = Browser::open(&other_folder.start().await).await.cookie.unwrap();
    let last = if real.ends_with('0') { "1" } else { "0" };
    let forged = [
        "session=0123456789abcdef0123456789abcdef".to_owned(),
        "session=0123456789abcdef0123456789abcdef.".to_owned(),
        "session=".to_owned(),
        "session=é.é".to_owned(),
        real[..real.len() - 2].to_owned(),
        format!("{}{last}", &real[..real.len() - 1]),
        signed_elsewhere,
    ];
    for cookie in forged {
        browser.cookie = Some(cookie.clone());
        assert_eq!(code(browser.say("hello").await).await.0, StatusCode::UNAUTHORIZED, "{cookie}");
    }
    assert_eq!(stored(&folder), 0);
    browser.cookie = Some(real);
    browser.talk("hello").await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn conversations_hold_no_file_open() {
    let folder = Folder::new();
    let chat = folder.start().await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        let browser = Browser::open(&chat).await;
        browser.talk("hello").await;
        streams.push(browser.send(Method::GET, "/api/chat", None).await);
    }
    assert_eq!((stored(&folder), conversations_held_open(&folder)), (20, 0));
}

#[tokio::test]
async fn a_conversation_is_found_again_after_a_restart() {
    let folder = Folder::new();
    let mut browser = Browser::open(&folder.start().await).await;
    browser.talk("hello").await;
    // The last entry was cut off by a crash.
    let file = fs::read_dir(folder.0.join("conversations")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{whole}{{\"id\":4,\"at\":1,\"ty")).unwrap();
    let chat = folder.start().await;
    browser.app = chat.router();
    // The user is at home already, so the assistant is not at work.
    browser.talk("hello once more").await;
    assert!(fs::read_to_string(&file).unwrap().starts_with(&whole));
}

#[tokio::test]
async fn an_address_has_only_a_few_new_users() {
    let folder = Folder::new();
    let chat = start(&folder, Limits { new_users_per_address: 2, ..Limits::default() }).await;
    let [first, second, mut third] =
        [Browser::open(&chat).await, Browser::open(&chat).await, Browser::open(&chat).await];
    first.talk("hello").await;
    second.talk("hello").await;
    let refused = third.say("hello").await;
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert_eq!(code(refused).await, (StatusCode::TOO_MANY_REQUESTS, "too_many".to_owned()));
    first.talk("I was here before").await;
    third.address = [192, 0, 2, 2];
    third.talk("hello").await;
    assert_eq!(stored(&folder), 3);
}

#[tokio::test]
async fn the_conversation_that_was_idle_longest_goes_first() {
    let folder = Folder::new();
    let chat = start(&folder, Limits { conversations: 2, ..Limits::default() }).await;
    let [followed, idle, new] = [Browser::open(&chat).await, Browser::open(&chat).await, Browser::open(&chat).await];
    followed.talk("I stay").await;
    let stream = followed.send(Method::GET, "/api/chat", None).await;
    idle.talk("I go").await;
    // The stream of `talk` has ended, and then nothing uses the conversation.
    while new.say("hello").await.status() != StatusCode::ACCEPTED {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    new.read_until(|read| read.contains(DONE)).await;
    assert_eq!(stored(&folder), 2);
    drop(stream);
    assert!(followed.read_until(|read| read.contains(DONE)).await.contains("I stay"));
    assert!(!idle.read_until(|read| read.contains("begin")).await.contains("I go"));
}

#[tokio::test]
async fn a_conversation_has_a_bound_in_bytes() {
    let folder = Folder::new();
    let chat = start(&folder, Limits { conversation_bytes: 60_000, ..Limits::default() }).await;
    let browser = Browser::open(&chat).await;
    browser.talk(&"x".repeat(30_000)).await;
    assert_eq!(
        code(browser.say(&"x".repeat(20_000)).await).await,
        (StatusCode::CONFLICT, "conversation_full".to_owned())
    );
    browser.clear().await;
    browser.talk(&"x".repeat(20_000)).await;
}

#[tokio::test]
async fn pages_that_follow_conversations_have_a_bound() {
    let folder = Folder::new();
    let chat = start(&folder, Limits { streams: 20, ..Limits::default() }).await;
    let (first, second) = (Browser::open(&chat).await, Browser::open(&chat).await);
    let mut open = Vec::new();
    for _ in 0..16 {
        open.push(first.send(Method::GET, "/api/chat", None).await);
    }
    let seventeenth = first.send(Method::GET, "/api/chat", None).await;
    assert_eq!(seventeenth.status(), StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..4 {
        open.push(second.send(Method::GET, "/api/chat", None).await);
    }
    assert!(open.iter().all(|stream| stream.status() == StatusCode::OK));
    assert_eq!(second.send(Method::GET, "/api/chat", None).await.status(), StatusCode::TOO_MANY_REQUESTS);
    open.clear();
    assert_eq!(first.send(Method::GET, "/api/chat", None).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn pages_of_other_sites_change_nothing() {
    let folder = Folder::new();
    let chat = Chat::start(Settings::new(&folder.0)).await.unwrap();
    let browser = Browser::open(&chat).await;
    let foreign = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site"), ("host", "evil.example")];
    for (method, path) in [
        (Method::POST, "/api/chat/stop"),
        (Method::POST, "/api/chat/messages"),
        (Method::DELETE, "/api/chat"),
        (Method::POST, "/plugins/calls"),
        (Method::DELETE, "/plugins/calls/x"),
    ] {
        for (name, value) in foreign {
            let mut request = Request::builder().method(method.clone()).uri(path).body(Body::empty()).unwrap();
            let headers = request.headers_mut();
            headers.insert(header::HOST, "127.0.0.1".parse().unwrap());
            headers.insert(header::COOKIE, browser.cookie.as_ref().unwrap().parse().unwrap());
            headers.insert(name, value.parse().unwrap());
            let refused = browser.app.clone().oneshot(request).await.unwrap();
            assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{method} {path}, {name}: {value}");
        }
    }
    let page = Request::get("/").header("host", "evil.example").body(Body::empty()).unwrap();
    let refused = browser.app.clone().oneshot(page).await.unwrap();
    assert!(refused.status() == StatusCode::FORBIDDEN && !refused.headers().contains_key(header::SET_COOKIE));
}
