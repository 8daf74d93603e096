//! The mounted servers of a server: declared by its author, and loaded when it begins to serve.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde_json::{Map, Value};
use tokio::{
    runtime::Handle,
    sync::{oneshot, watch},
    task::AbortHandle,
    time::timeout,
};

use super::{
    keeper::{keep, listen},
    mount::Mount,
    mounted::Mounted,
    prompt::PromptItem,
    resource::ResourceItem,
    shelf::Shelf,
    status::MountStatus,
    tool::ToolItem,
    unlisted::unlisted,
};
use crate::{
    Server, Service,
    base::{mutex::Mutex, random},
    engine::tool::{Tool, host_warnings::is_name, registered::RegisteredTool},
    serve::{
        prompt::Prompt,
        resource::Resource,
        server::{BuiltParts, Extension, Inner, Loading, RequestContext, declare_extension},
    },
    wire::protocol::{json::object, revision::Revision, view},
};

/// How long the first requests of clients wait for servers that have not answered yet.
const WAIT: Duration = Duration::from_secs(5);

/// The longest `_meta` member that identifies a gateway, in characters.
const ID: usize = 12;

/// The mounted servers of a server.
#[derive(Default)]
pub(super) struct Mounts {
    declared: Vec<(String, Mount)>,
    mounted: Vec<Arc<Mounted>>,
    shelves: Mutex<Shelves>,
    /// Reads resources that no list has.
    unlisted: OnceLock<Arc<RegisteredTool>>,
    begun: OnceLock<Begun>,
}

#[derive(Default)]
struct Shelves {
    tools: Shelf<ToolItem>,
    prompts: Shelf<PromptItem>,
    resources: Shelf<ResourceItem>,
}

/// The tasks that keep the lists. Dropping this ends them.
struct Begun {
    /// Whether requests need not wait any more.
    is_loaded: watch::Receiver<bool>,
    tasks: Vec<AbortHandle>,
}

impl Server {
    /// Offers the tools, prompts and resources of another server, for example in a gateway. `mount` is a
    /// [`Remote`](crate::remote::Remote), or a [`Mount`] that says how its items appear. See
    /// [`gathering`](crate::guide::gathering).
    ///
    /// Names of tools and prompts begin with `name` and `_`. The lists are read when the server begins to serve, and again
    /// when they change. A server that cannot be reached does not keep this one from serving; see [`Service::mounts`].
    ///
    /// ```
    /// use mcp_runtime::{prelude::*, remote::Remote};
    ///
    /// /// Adds two numbers.
    /// #[mcp_tool(read_only)]
    /// async fn add(a: i64, b: i64) -> Text<i64> {
    ///     Text(a + b)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let calculator = Server::new("calculator", "1.0.0").tools(tools![add]).build().unwrap();
    /// let gateway = Server::new("gateway", "1.0.0").mount("math", Remote::service(&calculator)).build().unwrap();
    ///
    /// let sum = Remote::service(&gateway).call("math_add", serde_json::json!({ "a": 1, "b": 2 })).await.unwrap();
    /// assert_eq!(sum.content()[0].as_text(), Some("3"));
    /// # }
    /// ```
    pub fn mount(mut self, name: impl Into<String>, mount: impl Into<Mount>) -> Self {
        let mount = mount.into();
        let tools_only = mount.tools_only;
        self.extension::<Mounts>().declared.push((name.into(), mount));
        let server = self.dynamic::<dyn Tool>();
        if tools_only { server } else { server.dynamic::<dyn Prompt>().dynamic::<dyn Resource>() }
    }
}

impl Mounts {
    /// Returns the problems of the settings.
    fn problems(&self) -> Vec<String> {
        let (mut names, mut problems) = (BTreeSet::new(), Vec::new());
        for (name, mount) in &self.declared {
            if !is_name(name) {
                problems.push(format!(
                    "`{}` is not a name for a mounted server: use 1 to 64 ASCII letters, digits, `_` and `-`",
                    name.escape_debug()
                ));
            }
            if !names.insert(name) {
                problems.push(format!("two mounted servers are named `{name}`; rename one"));
            }
            problems.extend(mount.problems.iter().map(|problem| format!("mounted server `{name}`: {problem}")));
        }
        problems
    }

    /// Begins to read the lists, each in a task.
    fn begin(&self, server: &Arc<Inner>, runtime: &Handle) -> Begun {
        if self.mounted.iter().any(|mounted| !mounted.mount.tools_only)
            && let Some(unlisted) = unlisted(&self.mounted, server)
        {
            self.unlisted.get_or_init(|| unlisted);
        }
        let (loaded, is_loaded) = watch::channel(false);
        let (mut tasks, mut firsts) = (Vec::new(), Vec::new());
        for mounted in &self.mounted {
            let (first, answered) = oneshot::channel();
            let keeping = keep(Arc::clone(mounted), Arc::downgrade(server), first, is_loaded.clone());
            let listening = listen(Arc::clone(mounted), Arc::downgrade(server));
            tasks.extend([runtime.spawn(keeping).abort_handle(), runtime.spawn(listening).abort_handle()]);
            firsts.push(answered);
        }
        let service = Arc::downgrade(server);
        let waiting = runtime.spawn(async move {
            let all = async {
                for answered in firsts {
                    // A task that has ended does not answer.
                    let _ = answered.await;
                }
            };
            // A slow server is listed later.
            let _ = timeout(WAIT, all).await;
            service.upgrade().iter().for_each(publish);
            loaded.send_replace(true);
        });
        tasks.push(waiting.abort_handle());
        Begun { is_loaded, tasks }
    }

    pub(super) fn status(&self) -> Vec<MountStatus> {
        let shelves = self.shelves.lock();
        let Shelves { tools, prompts, resources } = &*shelves;
        let status = |mounted: &Arc<Mounted>| {
            let (name, items) = (&mounted.name, mounted.items());
            let warnings = items.iter().flat_map(|items| items.warnings.texts.iter().cloned());
            let problems = [tools.problems(name), prompts.problems(name), resources.problems(name)];
            MountStatus {
                name: name.clone(),
                is_loaded: items.is_some(),
                failure: mounted.failure(),
                tools: tools.count(name),
                prompts: prompts.count(name),
                resources: resources.count(name),
                warnings: warnings.chain(problems.into_iter().flatten()).collect(),
            }
        };
        self.mounted.iter().map(status).collect()
    }
}

/// Lists what the mounted servers offer now, in the order of the mounts.
pub(super) fn publish(server: &Arc<Inner>) {
    let Some(mounts) = server.extensions.get::<Mounts>() else { return };
    let service = Service(Arc::clone(server));
    let items: Vec<_> = mounts.mounted.iter().filter_map(|mounted| Some((&**mounted, mounted.items()?))).collect();
    let mut shelves = mounts.shelves.lock();
    shelves.tools.update(&service, items.iter().flat_map(|(of, items)| items.tools.iter().map(|item| (*of, item))));
    shelves.prompts.update(&service, items.iter().flat_map(|(of, items)| items.prompts.iter().map(|item| (*of, item))));
    shelves
        .resources
        .update(&service, items.iter().flat_map(|(of, items)| items.resources.iter().map(|item| (*of, item))));
}

impl Extension for Mounts {
    fn complete(&mut self, _: &BuiltParts<'_>, problems: &mut Vec<String>) -> Option<Arc<dyn Extension>> {
        problems.extend(self.problems());
        let mut id = random::hex();
        id.truncate(ID);
        let id: Arc<str> = id.into();
        let declared = std::mem::take(&mut self.declared);
        let mounted = declared.into_iter().map(|(name, mount)| Arc::new(Mounted::new(name, mount, Arc::clone(&id))));
        self.mounted = mounted.collect();
        None
    }

    /// Declares that the server has views. Clients ask what it declares before the mounted servers are loaded, so it is
    /// declared whether or not they have views.
    fn declare(&self, _: RequestContext<'_>, revision: Revision, capabilities: &mut Map<String, Value>) {
        if revision.has_structured_content() && self.mounted.iter().any(|mounted| !mounted.mount.tools_only) {
            let declared = capabilities.get("extensions").and_then(|extensions| extensions.get(view::EXTENSION));
            let settings = declared.cloned().unwrap_or_else(|| object([]));
            declare_extension(capabilities, view::EXTENSION, settings);
        }
    }

    fn instructions(&self) -> Vec<String> {
        self.mounted.iter().filter_map(|mounted| mounted.items()?.instructions.clone()).collect()
    }

    fn loads_handshake(&self) -> bool {
        self.mounted.iter().any(|mounted| mounted.mount.instructions)
    }

    /// A call becomes a task if the mounted server makes it one. Which servers have tasks is known when they are loaded.
    fn has_tasks(&self) -> bool {
        !self.declared.is_empty()
    }

    fn not_loaded(&self, name: &str) -> Option<String> {
        let missing = |mounted: &&Arc<Mounted>| mounted.items().is_none() && name.starts_with(&mounted.prefix);
        self.mounted.iter().find(missing).map(|mounted| mounted.name.clone())
    }

    fn loads(&self) -> bool {
        true
    }

    fn load(&self, server: &Arc<Inner>) -> Option<Loading> {
        let begun = match self.begun.get() {
            Some(begun) => begun,
            None => {
                let runtime = Handle::try_current().ok()?;
                self.begun.get_or_init(|| self.begin(server, &runtime))
            }
        };
        if *begun.is_loaded.borrow() {
            return None;
        }
        let mut is_loaded = begun.is_loaded.clone();
        Some(Box::pin(async move {
            // If the task has ended, its runtime has.
            let _ = is_loaded.wait_for(|is_loaded| *is_loaded).await;
        }))
    }

    fn unlisted_resource(&self) -> Option<Arc<RegisteredTool>> {
        self.unlisted.get().cloned()
    }

    fn warnings(&self) -> Vec<String> {
        let failed = self.mounted.iter().filter(|mounted| mounted.failure().is_some());
        failed.map(|mounted| format!("the mounted server `{}` cannot be used", mounted.name)).collect()
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}
