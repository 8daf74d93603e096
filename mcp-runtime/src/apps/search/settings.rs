//! The settings of the search.

use std::{borrow::Cow, collections::BTreeSet};

use super::{call_found::CallFound, find_tool::SearchTools, searchable::Searchable};
use crate::Server;

/// How clients search the tools of a server. See [`Server::searchable`].
///
/// ```
/// use mcp_runtime::{prelude::*, search::Search};
///
/// let search = Search::new().pin("current_user").about("issues, pull requests and releases of our projects");
/// let server = Server::new("projects", "1.0.0").dynamic_tools().searchable(search);
/// # server.build().unwrap();
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Search {
    pinned: BTreeSet<Cow<'static, str>>,
    about: Option<String>,
}

impl Search {
    /// Creates a search over all tools, none of which stays in the list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a tool in the list. Use it for tools that most conversations need, and for tools with a
    /// [view](crate::guide::views), because hosts find the view in the list. If the list cannot change while the server
    /// runs, and has no such tool, [`Server::build`] fails.
    pub fn pin(mut self, tool: impl Into<Cow<'static, str>>) -> Self {
        self.pinned.insert(tool.into());
        self
    }

    /// Says what the tools are about, in the description of `search_tools`: the model then knows what it can search for.
    /// Default: nothing.
    pub fn about(mut self, topics: impl Into<String>) -> Self {
        self.about = Some(topics.into());
        self
    }
}

impl Server {
    /// Lets models search the tools, in place of a long list. `tools/list` then has `search_tools`, `call_tool`, and the
    /// tools that are [pinned](Search::pin). All other tools work as before, also if they are called by their own names.
    /// See [`search`](crate::search). Call this once: [`build`](Self::build) fails if a server has two searches.
    ///
    /// ```
    /// use mcp_runtime::{prelude::*, search::Search};
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool(read_only)]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// let server = Server::new("calculator", "1.0.0").tools(tools![add]).searchable(Search::new());
    /// # server.build().unwrap();
    /// ```
    pub fn searchable(mut self, search: Search) -> Self {
        let Search { pinned, about } = search;
        let searchable = self.extension::<Searchable>();
        searchable.searches += 1;
        searchable.pinned.extend(pinned);
        if searchable.searches == 1 { self.tool(SearchTools { about }).tool(CallFound) } else { self }
    }
}
