//! The guard as a layer of `tower`.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::Body,
    extract::Request,
    response::{IntoResponse, Response},
};
use http::request::Parts;
use http_body::Body as _;
use tower_layer::Layer;
use tower_service::Service;

use super::{Guard, RefusedRequest, principal};
use crate::serve::server::concurrency::Room;

/// A service behind a [`Guard`].
#[derive(Clone, Debug)]
pub struct Guarded<S> {
    guard: Guard,
    inner: S,
}

impl<S> Layer<S> for Guard {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { guard: self.clone(), inner }
    }
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Error = Infallible> + Clone + Send + 'static,
    S::Response: IntoResponse,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let guard = self.guard.clone();
        // The service that is ready answers, and its clone stays.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        let (parts, body) = request.into_parts();
        Box::pin(async move {
            let answer = |parts| async {
                match guard.whole(parts, body).await {
                    Ok((request, _slot)) => {
                        let Ok(response) = inner.call(request).await;
                        response.into_response()
                    }
                    Err(refused) => refused,
                }
            };
            Ok(guard.around(Arc::new(parts), None, answer).await)
        })
    }
}

impl Guard {
    /// Returns the request with its whole body, and the slot that it holds while it is answered.
    async fn whole(&self, parts: Arc<Parts>, body: Body) -> Result<(Request, impl Sized), Response> {
        let body = match body.is_end_stream() {
            true => bytes::Bytes::new(),
            false => self.read(body, &parts, None).await?,
        };
        let room = self.room(principal(&parts.extensions).as_ref());
        let refuse = |error| self.refuse(RefusedRequest::from(error));
        room.admit(body.len()).map_err(refuse)?;
        let held = room.hold(body.len());
        let permit = room.enter(room.take()).await.ok_or_else(|| refuse(Room::overloaded()))?;
        let parts = Arc::try_unwrap(parts).unwrap_or_else(|parts| (*parts).clone());
        Ok((Request::from_parts(parts, Body::from(body)), (held, permit)))
    }
}
