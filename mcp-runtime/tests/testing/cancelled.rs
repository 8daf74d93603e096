//! Calls that are cancelled by their scripts.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use mcp_runtime::{
    Revision, Server, Service, in_every_mode,
    prelude::*,
    testing::{Client, Reply},
};

use crate::testing::support::{lead, panic_of};

#[elicits]
enum Sure {
    Confirm { sure: bool },
}

/// Counts the calls that are held.
#[derive(Clone, Default)]
struct Held(Arc<AtomicUsize>);

struct Hold(Held);

impl Hold {
    fn new(held: &Held) -> Self {
        held.0.fetch_add(1, Ordering::SeqCst);
        Self(held.clone())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reports progress, and never ends.
#[mcp_tool]
async fn report(held: &Held, ctx: &Ctx) {
    let _hold = Hold::new(held);
    ctx.log(Level::Info, "begun");
    tokio::task::yield_now().await;
    ctx.progress(1.0).total(2.0);
    std::future::pending::<()>().await;
}

/// Asks while it holds something.
#[mcp_tool]
async fn ask(held: &Held, ctx: &Ctx<Sure>) -> mcp_runtime::Result<Text<bool>> {
    let _hold = Hold::new(held);
    Ok(Text(ctx.elicit::<Confirm>("Sure?").strict().await?.sure))
}

fn server(held: &Held) -> Server {
    Server::new("s", "1").state(held.clone()).tools(tools![report, ask])
}

fn service(held: &Held) -> Service {
    server(held).build().unwrap()
}

impl Held {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits until no call is held, because a server over HTTP notices a disconnect a little later.
    async fn is_let_go(&self) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.count() > 0 {
            assert!(Instant::now() < until, "the call goes on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn the_tool_is_dropped_when_the_call_is_cancelled() {
    for revision in Revision::ALL {
        let held = Held::default();
        let mut client = Client::new(&service(&held), revision);
        let cancelled = client.call("report", ()).cancel_on_progress().await;
        assert_eq!(held.count(), 0, "{revision}");
        assert_eq!((cancelled.logs().len(), cancelled.progress()[0].progress), (1, 1.0));
        assert!(cancelled.is_cancelled() && cancelled.error().is_none());
        let cancelled = client.call("report", ()).cancel_on_log().await;
        assert_eq!((held.count(), cancelled.logs().len(), cancelled.progress().len()), (0, 1, 0));
        assert!(client.call("report", ()).cancel_after(Duration::from_millis(5)).await.is_cancelled());
        assert_eq!(held.count(), 0);
    }
}

#[tokio::test]
async fn a_script_can_cancel_at_a_question_in_a_session() {
    for reply in [Reply::cancel_call(), Reply::cancel_call().after(Duration::from_millis(5))] {
        let held = Held::default();
        let mut client = Client::legacy(&service(&held), Revision::V2025_11_25);
        let cancelled = client.call("ask", ()).reply(reply).await;
        assert_eq!((cancelled.is_cancelled(), held.count()), (true, 0));
        let sent = cancelled.transcript().sent();
        assert_eq!(sent.iter().filter(|message| message["method"] == "notifications/cancelled").count(), 1);
        assert_eq!(client.call("ask", ()).accept(Confirm { sure: true }).await.text(), "true");
    }
}

#[tokio::test]
async fn a_script_can_leave_a_question_of_a_round() {
    let mut client = Client::modern(&service(&Held::default()));
    let cancelled = client.call("ask", ()).reply_to("confirm", Reply::cancel_call()).await;
    assert_eq!((cancelled.is_cancelled(), cancelled.rounds()), (true, 1));
    assert_eq!(cancelled.transcript().sent().len(), 1);
}

#[tokio::test]
async fn a_cancelled_call_has_no_result() {
    let mut client = Client::modern(&service(&Held::default()));
    let cancelled = client.call("report", ()).cancel_on_progress().await;
    let text = panic_of(async { cancelled.text() }).await;
    assert!(text.starts_with("the call has no result, because its script cancelled it\n→ {"), "{text}");
}

#[tokio::test]
async fn a_cancellation_that_never_happens_panics() {
    let mut client = Client::modern(&service(&Held::default()));
    let line = line!() + 1;
    let call = client.call("ask", ()).cancel_on_progress().accept(Confirm { sure: true });
    let text = panic_of(call.into_future()).await;
    let never = "the call ended before `cancel_on_progress` (mcp-runtime/tests/testing/cancelled.rs:";
    assert!(lead(&text).contains(&format!("{never}{line}:")), "{text}");
}

#[tokio::test]
async fn a_cancelled_call_is_not_compared_in_every_mode() {
    let text = panic_of(async {
        in_every_mode!(|mode| {
            let mut client = mode.client(|| server(&Held::default()));
            client.call("report", ()).cancel_on_progress().await;
        });
    });
    let text = text.await;
    assert!(lead(&text).contains("cannot cancel a call at the same moment in every mode"), "{text}");
}

#[tokio::test]
async fn a_server_behind_a_url_drops_a_call_that_is_cancelled() {
    let held = Held::default();
    let service = service(&held);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { service.serve_listener(listener, std::future::pending::<()>()).await });
    for revision in Revision::ALL {
        let mut client = Client::url(&url).revision(revision);
        assert!(client.call("report", ()).cancel_on_progress().await.is_cancelled());
        held.is_let_go().await;
        if !revision.is_modern() && revision >= Revision::V2025_06_18 {
            assert!(client.call("ask", ()).cancel_call().await.is_cancelled());
            held.is_let_go().await;
        }
    }
}
