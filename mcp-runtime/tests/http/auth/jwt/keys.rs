//! Fetching keys: once, again when they change, and at a limited rate for unknown keys.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::auth::{Jwks, TokenError};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    time,
};

use super::{TOKENS, text, verifier, verify};

/// A server of keys.
pub(crate) struct Server {
    pub(crate) url: String,
    answer: Arc<Mutex<String>>,
    asked: Arc<AtomicUsize>,
}

impl Server {
    pub(crate) async fn start(answer: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/jwks.json", listener.local_addr().unwrap());
        let server = Self { url, answer: Arc::new(Mutex::new(answer)), asked: Arc::default() };
        let (answer, asked) = (Arc::clone(&server.answer), Arc::clone(&server.asked));
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut head = [0; 1024];
                let read = stream.read(&mut head).await.unwrap();
                assert!(head[..read].starts_with(b"GET /jwks.json HTTP/1.1\r\n"));
                asked.fetch_add(1, Ordering::Relaxed);
                let answer = answer.lock().unwrap().clone();
                // The client may have disconnected.
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        server
    }

    fn answers(&self, answer: String) {
        *self.answer.lock().unwrap() = answer;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn keys(&self) -> Jwks {
        Jwks::from_url(&self.url).unwrap()
    }
}

pub(crate) fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

fn set(name: &str) -> String {
    ok(&TOKENS[name].to_string())
}

fn good() -> &'static str {
    text(&TOKENS["good"]["RS256"])
}

fn rotated() -> &'static str {
    text(&TOKENS["rotated token"])
}

/// Advances the clock without waking waiting tasks.
async fn later(by: Duration) {
    time::pause();
    time::advance(by).await;
    time::resume();
}

#[tokio::test]
async fn concurrent_tokens_share_one_fetch() {
    let server = Server::start(set("jwks")).await;
    let verifier = verifier(server.keys());
    let verified = tokio::join!(verify(&verifier, good()), verify(&verifier, good()), verify(&verifier, good()));
    assert!(verified.0.is_ok() && verified.1.is_ok() && verified.2.is_ok());
    assert!(verify(&verifier, text(&TOKENS["good"]["EdDSA"])).await.is_ok());
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn an_unknown_key_starts_a_fetch_at_limited_rate() {
    let server = Server::start(set("jwks")).await;
    let verifier = verifier(server.keys());
    assert!(verify(&verifier, good()).await.is_ok());
    server.answers(set("rotated"));
    for _ in 0..10 {
        let error = verify(&verifier, rotated()).await.unwrap_err();
        assert_eq!(error.to_string(), "the token is signed with an unknown key");
    }
    assert_eq!(server.asked(), 1, "the keys were fetched just now");
    later(Duration::from_secs(10)).await;
    let verified = tokio::join!(verify(&verifier, rotated()), verify(&verifier, rotated()));
    assert!(verified.0.is_ok() && verified.1.is_ok());
    assert_eq!(server.asked(), 2);
    assert!(verify(&verifier, good()).await.is_err(), "its key was taken away");
}

#[tokio::test]
async fn refreshes_old_keys_in_the_background() {
    let server = Server::start(set("jwks")).await;
    let verifier = verifier(server.keys());
    assert!(verify(&verifier, good()).await.is_ok());
    later(Duration::from_secs(599)).await;
    assert!(verify(&verifier, good()).await.is_ok());
    assert_eq!(server.asked(), 1);
    server.answers(set("rotated"));
    later(Duration::from_secs(1)).await;
    assert!(verify(&verifier, good()).await.is_ok(), "the keys at hand are good enough meanwhile");
    while verify(&verifier, good()).await.is_ok() {
        time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(server.asked(), 2);
    assert!(verify(&verifier, rotated()).await.is_ok());
}

#[tokio::test]
async fn a_failed_fetch_keeps_the_old_keys() {
    let server = Server::start(set("jwks")).await;
    let verifier = verifier(server.keys());
    assert!(verify(&verifier, good()).await.is_ok());
    let endless = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", " ".repeat(1024 * 1024 + 1));
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /jwks.json\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    for (count, answer) in [
        "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
        redirect.to_owned(),
        ok("no JSON"),
        ok(r#"{"keys":[]}"#),
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".to_owned(),
        String::new(),
        endless,
    ]
    .into_iter()
    .enumerate()
    {
        server.answers(answer);
        later(Duration::from_secs(10)).await;
        let unknown = verify(&verifier, rotated()).await.unwrap_err();
        assert!(matches!(unknown, TokenError::Unavailable { .. }), "nobody could be asked for its key: {unknown:?}");
        assert!(verify(&verifier, good()).await.is_ok());
        assert_eq!(server.asked(), count + 2);
    }
    server.answers(set("rotated"));
    later(Duration::from_secs(10)).await;
    assert!(verify(&verifier, rotated()).await.is_ok());
}

#[tokio::test]
async fn retries_soon_while_there_are_no_keys() {
    let server = Server::start(ok("no JSON")).await;
    let verifier = verifier(server.keys());
    for _ in 0..10 {
        let error = verify(&verifier, good()).await.unwrap_err();
        assert!(matches!(error, TokenError::Unavailable { .. }), "{error:?}");
    }
    assert_eq!(server.asked(), 1);
    server.answers(set("jwks"));
    later(Duration::from_secs(1)).await;
    assert!(verify(&verifier, good()).await.is_ok());
    assert_eq!(server.asked(), 2);
}

#[tokio::test]
async fn a_dropped_request_does_not_cancel_the_fetch() {
    let server = Server::start(set("jwks")).await;
    let verifier = verifier(server.keys());
    {
        let mut verifying = std::pin::pin!(verify(&verifier, good()));
        assert!(std::future::poll_fn(|cx| std::task::Poll::Ready(verifying.as_mut().poll(cx))).await.is_pending());
    }
    // Without another fetch, which would come too soon.
    assert!(verify(&verifier, good()).await.is_ok());
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn times_out_if_the_key_server_does_not_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/jwks.json", listener.local_addr().unwrap());
    let verifier = verifier(Jwks::from_url(&url).unwrap());
    time::pause();
    let error = verify(&verifier, good()).await.unwrap_err();
    let TokenError::Unavailable { source, .. } = error else { panic!("{error:?}") };
    assert_eq!(source.to_string(), "no answer within 5 s");
}
