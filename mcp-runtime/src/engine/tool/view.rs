//! Views: pages that hosts show beside the results of a tool, or in place of a form.

use std::{any::Any, panic::Location, sync::Arc};

use serde_json::Value;

use super::{
    ToolDefinition,
    registered::{ItemSettings, RegisteredTool},
    registry::Registry,
};
use crate::{
    engine::call::observer::Runtime,
    wire::protocol::{
        json::{object, object_of_some, set},
        view::{
            FLAT_RESOURCE_URI, RESOURCE_URI, ToolVisibility, UI, ViewCsp, ViewPermission, invalid_uri, permissions,
        },
    },
};

/// A view: a page that hosts show to the user. [`#[mcp_view]`](macro@crate::view::mcp_view) implements this trait for a
/// struct.
///
/// Name the type where the view is used: `#[mcp_tool(view = SeatMap)]`, `#[handoff(view = …)]`, `#[mcp_actions(view = …)]`
/// or [`ToolDefinition::view`]. The server then serves the page as a resource.
///
/// Implement it by hand for a page that other code generates:
///
/// ```
/// use mcp_runtime::view::{View, ViewDefinition};
///
/// struct Clock;
///
/// impl View for Clock {
///     const DEFINITION: &'static ViewDefinition =
///         &ViewDefinition::new("ui://clock/face", "face", "<!doctype html><title>Clock</title>");
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a view",
    label = "not a view",
    note = "put `#[mcp_view(\"ui://…\", html = \"….html\")]` on the struct `{Self}`",
    note = "a function with `#[mcp_view]` is a view only if its URI has no variables"
)]
pub trait View: 'static {
    /// The view's definition.
    const DEFINITION: &'static ViewDefinition;
}

/// The data that a server publishes about a view, and its page.
///
/// `#[mcp_view]` generates the definition, and checks it and the page when it compiles. For a definition written by hand,
/// [`Server::build`](crate::Server::build) checks the URI, the beginning of the page and the origins.
///
/// ```
/// use mcp_runtime::view::{ViewDefinition, ViewPermission};
///
/// const MAP: &ViewDefinition = &ViewDefinition::new("ui://trips/map", "map", "<!doctype html><title>Map</title>")
///     .title("Map of the trip")
///     .resource(&["https://tiles.example"])
///     .permissions(&[ViewPermission::Geolocation]);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct ViewDefinition {
    pub(crate) uri: &'static str,
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: &'static str,
    pub(crate) html: &'static str,
    csp: ViewCsp,
    permissions: &'static [ViewPermission],
    prefers_border: Option<bool>,
    domain: Option<&'static str>,
    /// Creates the resource that fills in the page, a `Box<dyn Resource>`. Without it, the page is always the same.
    pub(crate) filled_by: Option<fn() -> Box<dyn Any + Send + Sync>>,
    /// What serves the view. The linker adds it only to programs with views.
    pub(crate) support: &'static dyn ViewSupport,
    pub(crate) declared_at: &'static Location<'static>,
}

/// The description of a view without one.
const DESCRIPTION: &str = "A page that the host shows to the user.";

impl ViewDefinition {
    /// Creates a view with this URI, such as `ui://flights/seats`, this name in the list of resources, and this page. The
    /// page is a whole HTML document, which begins with `<!doctype html>`. It loads nothing unless an origin is named.
    #[track_caller]
    pub const fn new(uri: &'static str, name: &'static str, html: &'static str) -> Self {
        Self {
            uri,
            name,
            title: None,
            description: DESCRIPTION,
            html,
            csp: ViewCsp { connect: &[], resource: &[], frame: &[], base_uri: &[] },
            permissions: &[],
            prefers_border: None,
            domain: None,
            filled_by: None,
            support: Runtime::VIEWS,
            declared_at: Location::caller(),
        }
    }

    /// Sets the name shown to users (since 2025-06-18).
    pub const fn title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    /// Sets the description in the list of resources.
    pub const fn description(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    /// Sets the origins that scripts of the page connect to: `fetch`, `XMLHttpRequest`, `WebSocket`, `EventSource`.
    /// Default: none. The host blocks all others. It cannot block WebRTC.
    pub const fn connect(mut self, origins: &'static [&'static str]) -> Self {
        self.csp.connect = origins;
        self
    }

    /// Sets the origins of scripts, styles, fonts, images and media. Default: none.
    pub const fn resource(mut self, origins: &'static [&'static str]) -> Self {
        self.csp.resource = origins;
        self
    }

    /// Sets the origins of frames inside the page. Default: none.
    pub const fn frame(mut self, origins: &'static [&'static str]) -> Self {
        self.csp.frame = origins;
        self
    }

    /// Sets the origins that `<base href>` can name. Default: none.
    pub const fn base_uri(mut self, origins: &'static [&'static str]) -> Self {
        self.csp.base_uri = origins;
        self
    }

    /// Sets the permissions that the page asks for. Default: none.
    pub const fn permissions(self, permissions: &'static [ViewPermission]) -> Self {
        Self { permissions, ..self }
    }

    /// Sets whether the page looks best with a border. Default: the host decides.
    pub const fn prefers_border(self, prefers: bool) -> Self {
        Self { prefers_border: Some(prefers), ..self }
    }

    /// Sets the origin under which the host runs the page. What it means differs between hosts. Default: the host
    /// chooses one.
    pub const fn domain(self, domain: &'static str) -> Self {
        Self { domain: Some(domain), ..self }
    }

    /// Sets the function that creates the resource with the page: a `Box<dyn Resource>`.
    #[doc(hidden)]
    pub const fn filled_by(self, resource: fn() -> Box<dyn Any + Send + Sync>) -> Self {
        Self { filled_by: Some(resource), ..self }
    }

    /// Returns the URI.
    pub const fn uri(&self) -> &'static str {
        self.uri
    }

    /// Returns the page. If a function fills it in, returns the page with its placeholders.
    pub const fn html(&self) -> &'static str {
        self.html
    }

    /// Returns the value of `_meta.ui` of the resource, if there is any.
    pub(crate) fn meta(&self) -> Option<Value> {
        let ui = object_of_some([
            ("csp", self.csp.to_json()),
            ("permissions", permissions(self.permissions)),
            ("domain", self.domain.map(Value::from)),
            ("prefersBorder", self.prefers_border.map(Value::from)),
        ]);
        ui.as_object().is_some_and(|ui| !ui.is_empty()).then_some(ui)
    }

    /// Returns the reason why the view cannot be served, or `None` if it can.
    pub(crate) fn problem(&self) -> Option<String> {
        if let Some(reason) = invalid_uri(self.uri) {
            return Some(format!("`{}`: {reason}", self.uri));
        }
        if let Some(origin) = self.csp.invalid() {
            return Some(format!(
                "`{origin}` is not an origin; write a scheme and a host without a path, such as `https://api.example`"
            ));
        }
        let begins = self.html.trim_start_matches('\u{feff}').trim_start();
        let is_document = begins.starts_with("<!--")
            || begins.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"));
        (!is_document).then(|| "its page is not an HTML document; begin it with `<!doctype html>`".to_owned())
    }

    /// Returns whether both are the same view, not two with the same URI.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.uri == other.uri && self.name == other.name && self.declared_at == other.declared_at
    }
}

/// What serves views, in the part of the server that knows resources.
pub(crate) trait ViewSupport: std::fmt::Debug + Send + Sync {
    /// Returns the resources with the pages of those views of `items` that `registry` does not serve yet. Adds to
    /// `extensions`, those of a server, the methods of resources and the capability. Adds a message for the author to
    /// `problems` for each view that cannot be served.
    fn resources(
        &self,
        items: &mut dyn Iterator<Item = &RegisteredTool>,
        registry: &Registry,
        extensions: &dyn Any,
        settings: ItemSettings<'_>,
        problems: &mut Vec<String>,
    ) -> Vec<Arc<RegisteredTool>>;
}

/// Provides the implementation of [`ViewSupport`] as a constant. The linker adds the implementation only to programs
/// that use this constant.
pub(crate) trait LinkViews {
    const VIEWS: &'static dyn ViewSupport;
}

impl ToolDefinition {
    /// Sets the view that hosts show beside the results of the tool. The view gets the arguments and the result of each
    /// call. The model gets only the text of the result.
    pub fn view<V: View>(self) -> Self {
        self.shown_by(V::DEFINITION)
    }

    /// Sets the view by its definition.
    #[doc(hidden)]
    pub fn shown_by(mut self, view: &'static ViewDefinition) -> Self {
        self.view = Some(view);
        self.set_ui(RESOURCE_URI, view.uri.into());
        self.meta(FLAT_RESOURCE_URI, view.uri)
    }

    /// Sets who can call the tool. Default: models and views.
    ///
    /// Hosts enforce this, and a server cannot tell who called. A tool for views must check the rights of its caller like
    /// any other tool.
    pub fn visibility(mut self, visibility: ToolVisibility) -> Self {
        self.visibility = Some(visibility);
        self.set_ui("visibility", visibility.to_json());
        self
    }

    fn set_ui(&mut self, name: &str, value: Value) {
        let ui = self.meta.get_or_insert_default().entry(UI).or_insert_with(|| object([]));
        if let Value::Object(ui) = ui {
            set(ui, name, value);
        }
    }

    /// Returns the views that the item shows: its own, and those of its forms.
    pub(crate) fn views(&self) -> impl Iterator<Item = &'static ViewDefinition> {
        self.view.into_iter().chain(self.forms.iter().filter_map(|form| form.view))
    }
}

impl Registry {
    /// Adds the views of the items as resources. `extensions` are those of the server.
    pub(crate) fn add_views(&mut self, extensions: &dyn Any, settings: ItemSettings<'_>, problems: &mut Vec<String>) {
        let resources = self.new_views(&mut self.all(), extensions, settings, problems);
        for resource in &resources {
            // The support has compared the names.
            let _ = self.add(resource);
        }
        self.begin_versions();
    }

    /// Returns the resources for those views of `items` that the server does not serve yet.
    pub(crate) fn new_views(
        &self,
        items: &mut dyn Iterator<Item = &RegisteredTool>,
        extensions: &dyn Any,
        settings: ItemSettings<'_>,
        problems: &mut Vec<String>,
    ) -> Vec<Arc<RegisteredTool>> {
        let mut with_views = items.filter(|item| item.definition.views().next().is_some()).peekable();
        let support = with_views.peek().and_then(|item| item.definition.views().next()).map(|view| view.support);
        support
            .map_or_else(Vec::new, |support| support.resources(&mut with_views, self, extensions, settings, problems))
    }
}
