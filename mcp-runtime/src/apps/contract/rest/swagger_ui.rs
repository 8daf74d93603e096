//! The page that shows the OpenAPI document. The page is Swagger UI, and its files are compiled into the program.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{
        StatusCode,
        header::{CONTENT_TYPE, LOCATION},
    },
    response::{IntoResponse as _, Response},
    routing::get,
};
use utoipa_swagger_ui::{Config, serve};

use crate::serve::http::guard::Guard;

/// Adds the page at this path, and the files of the page at paths below this path.
pub(super) fn mount<S>(router: Router<S>, path: &str, document: &str, guard: &Guard) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    let path = path.trim_end_matches('/');
    // Relative to the page, so that the router can be nested in another.
    let up = "../".repeat(path.matches('/').count());
    let config = Arc::new(Config::from(format!("{up}{}", document.trim_start_matches('/'))));
    let last = path.rsplit('/').next().unwrap_or_default().to_owned();
    let below = format!("{path}/");
    let file = {
        let below = below.clone();
        move |request: Request| {
            // The router can be nested, so the path of the request can be longer than that of the page.
            let name = request.uri().path().split_once(&*below).map_or("", |(_, name)| name).to_owned();
            let config = Arc::clone(&config);
            async move { answer(&name, config) }
        }
    };
    let redirect = get(move || async move { (StatusCode::PERMANENT_REDIRECT, [(LOCATION, format!("{last}/"))]) });
    router
        .route(path, redirect.layer(guard.clone()))
        .route(&below, get(file.clone()).layer(guard.clone()))
        .route(&format!("{below}{{*file}}"), get(file).layer(guard.clone()))
}

fn answer(name: &str, config: Arc<Config<'static>>) -> Response {
    match serve(name, config) {
        Ok(Some(file)) => ([(CONTENT_TYPE, file.content_type)], file.bytes.into_owned()).into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
