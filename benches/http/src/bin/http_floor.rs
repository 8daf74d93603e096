//! The least possible server over HTTP. Run it with `http_floor ADDRESS TOOLS`. One thread of bare `hyper`; a message
//! is parsed into a typed struct that borrows from it, and the reply is made of literals. It looks at no header but
//! that of the session, knows three tools and checks nothing.

#[path = "../../../src/tools/floor.rs"]
mod message;
#[path = "../../../src/tools/names.rs"]
mod names;
#[path = "../until_told.rs"]
mod until_told;

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    convert::Infallible,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{CONTENT_TYPE, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpListener, sync::oneshot, task::LocalSet, time::sleep};

use self::{
    message::{Request as Message, answer, tools},
    until_told::until_told,
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let listener = TcpListener::bind(arguments.next().ok_or("no address")?).await?;
    let floor = Rc::new(Floor {
        tools: tools(arguments.next().as_deref() == Some("100")),
        sessions: RefCell::default(),
        waiting: RefCell::default(),
    });
    let serving = async {
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let floor = Rc::clone(&floor);
            tokio::task::spawn_local(async move {
                let service = service_fn(|request| respond(&floor, request));
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    };
    let local = LocalSet::new();
    tokio::select! {
        served = local.run_until(serving) => served,
        () = until_told() => Ok(()),
    }
}

struct Floor {
    tools: String,
    sessions: RefCell<HashSet<String>>,
    /// The calls that wait for an answer. The key is the id of the question. The value contains the result that follows
    /// the answer.
    waiting: RefCell<HashMap<String, (oneshot::Sender<Bytes>, Bytes)>>,
}

async fn respond(floor: &Floor, request: Request<Incoming>) -> Result<Response<Reply>> {
    let session = request.headers().get("mcp-session-id").cloned();
    let body = request.into_body().collect().await?.to_bytes();
    let Ok(message) = serde_json::from_slice::<Message<'_>>(&body) else { return Ok(floor.answered(&body)) };
    let Some(id) = message.id else { return Ok(empty(StatusCode::ACCEPTED)) };
    let answer = || {
        let mut reply = Vec::with_capacity(256);
        answer(id.get(), &message.method, &message.params, &floor.tools, &mut reply).map(|()| reply)
    };
    if message.method == "initialize" {
        let mut sessions = floor.sessions.borrow_mut();
        let session = format!("{:032x}", sessions.len());
        let mut response = json(answer()?.into());
        response.headers_mut().insert("mcp-session-id", HeaderValue::from_str(&session)?);
        sessions.insert(session);
        return Ok(response);
    }
    if message.params.meta.protocol_version.is_none() {
        let known = session.as_ref().and_then(|session| session.to_str().ok());
        if !known.is_some_and(|session| floor.sessions.borrow().contains(session)) {
            return Ok(empty(StatusCode::NOT_FOUND));
        }
        if message.params.name == "confirm" {
            return Ok(floor.ask(id.get(), &message.params.arguments.text));
        }
    }
    if message.params.name == "nap" {
        sleep(Duration::from_millis(message.params.arguments.milliseconds)).await;
    }
    Ok(json(answer()?.into()))
}

impl Floor {
    /// Returns a stream with a question.
    fn ask(&self, id: &str, text: &str) -> Response<Reply> {
        let (answered, answer) = oneshot::channel();
        let question = format!(
            concat!(
                r#"data: {{"jsonrpc":"2.0","id":{},"method":"elicitation/create","params":{{"message":"Give {} back?","#,
                r#""requestedSchema":{{"type":"object","properties":{{"sure":{{"type":"boolean"}}}}}}}}}}"#,
                "\n\n"
            ),
            id, text
        );
        let result = format!(
            concat!(
                r#"data: {{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text","text":{}}}]}}}}"#,
                "\n\n"
            ),
            id,
            serde_json::Value::from(text)
        );
        self.waiting.borrow_mut().insert(id.to_owned(), (answered, result.into()));
        let mut response = Response::new(Reply { first: Some(question.into()), rest: Some(answer) });
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        response
    }

    /// Handles a message that is not a request. Such a message answers a question.
    fn answered(&self, body: &[u8]) -> Response<Reply> {
        let id = serde_json::from_slice::<serde_json::Value>(body).map(|message| message["id"].to_string());
        if let Some((waiting, result)) = id.ok().and_then(|id| self.waiting.borrow_mut().remove(&id)) {
            let _ = waiting.send(result);
        }
        empty(StatusCode::ACCEPTED)
    }
}

/// A response body. It is either complete, or an event that is ready and a second event that is awaited.
#[derive(Default)]
struct Reply {
    first: Option<Bytes>,
    rest: Option<oneshot::Receiver<Bytes>>,
}

fn json(reply: Bytes) -> Response<Reply> {
    let mut response = Response::new(Reply { first: Some(reply), rest: None });
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn empty(status: StatusCode) -> Response<Reply> {
    let mut response = Response::new(Reply::default());
    *response.status_mut() = status;
    response
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Infallible>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        let Some(rest) = &mut self.rest else { return Poll::Ready(None) };
        let answer = std::task::ready!(Pin::new(rest).poll(cx));
        self.rest = None;
        Poll::Ready(answer.ok().map(|answer| Ok(Frame::data(answer))))
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.rest.is_none()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        match (&self.first, &self.rest) {
            (first, None) => http_body::SizeHint::with_exact(first.as_ref().map_or(0, |first| first.len() as u64)),
            _ => http_body::SizeHint::default(),
        }
    }
}
