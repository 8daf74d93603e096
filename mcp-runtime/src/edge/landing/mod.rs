//! The landing page: what the server is, and how hosts connect to it, for people who open its address in a browser.

mod connect;
mod html;
mod page;
mod parameters;
mod tools;

#[cfg(test)]
mod tests;

use self::page::{page, policy};
use crate::serve::{http::RootPage, server::Server};

impl Server {
    /// Adds a page about the server at `/`, for people who open its address in a browser. Default: none.
    ///
    /// The page shows the title, the icon, the instructions and the version of the server, its tools with their parameters,
    /// the URL of the endpoint with links and entries that add the server to hosts, and links to the
    /// [health checks](crate::Service::health_router). Tools that need scopes or that
    /// only views call are not shown.
    ///
    /// It is one static page, without scripts and without anything from elsewhere: of the icons it shows only one in a
    /// `data:` URI. The [guard](crate::Service::guard) of all endpoints is before it, so a server with an
    /// [`authorization`](Self::authorization) shows it only with a token. The shown URL has the host of the request, or
    /// is the URL of the authorization. Behind a proxy, the header `X-Forwarded-Proto` sets its scheme.
    ///
    /// [`Service::serve_http`](crate::Service::serve_http) and the command `http` serve the page, unless the endpoint itself
    /// is at `/`. An application with a router of its own writes its own page.
    ///
    /// ```
    /// # use mcp_runtime::Server;
    /// let server = Server::new("flights", "1.0.0").title("Flights").landing_page();
    /// ```
    pub fn landing_page(self) -> Self {
        self.root_page(RootPage::new(page, policy()))
    }
}
