//! A `macro_rules!` may write views: its tokens arrive in invisible groups and with other spans.

use mcp_runtime::{prelude::*, view::View};

macro_rules! views {
    ($($name:ident: $doc:literal, $uri:literal, $html:literal, $origin:literal;)*) => {$(
        #[doc = $doc]
        #[mcp_view($uri, html = $html, csp(resource = $origin), allow(undeclared_origin))]
        struct $name;
    )*};
}

views! {
    Seats: "Seats.", "ui://flights/seats", "page.html", "https://cdn.example";
    Small: "Small.", "ui://flights/small", "small.html", "https://cdn.example";
}

macro_rules! tool {
    ($view:ty) => {
        /// Shows a page.
        #[mcp_tool(view = $view)]
        async fn show() -> Json<u8> {
            Json(1)
        }
    };
}
tool!(Small);

fn main() {
    assert_eq!(Seats::DEFINITION.uri(), "ui://flights/seats");
    assert_eq!(Server::new("s", "1").tools(tools![show]).build().unwrap().manifest()["resources"][0]["name"], "small");
}
