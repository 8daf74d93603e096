//! What a mounted server offers: its items as they were read last.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use hmac_sha256::Hash;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{mounted::Mounted, prompt::PromptItem, resource::ResourceItem, tool::ToolItem, via::add_gateway};
use crate::{
    engine::{
        call::operation::Operation,
        tool::{ToolDefinition, bound::NamedFunction},
    },
    serve::{
        client::{ClientRequest, CompletedArgument},
        complete::{CompleteFuture, Completion, CompletionRequest},
        remote::{ListName, Remote, RemoteError, RemoteOffers, passed_on},
        server::ServiceItem,
    },
    wire::protocol::{
        icon::Icon,
        text::{beginning, shortened},
        view::{FLAT_RESOURCE_URI, RESOURCE_URI, UI},
    },
};

/// The items of a mounted server.
#[derive(Default)]
pub(super) struct LoadedItems {
    pub(super) tools: Vec<Arc<ToolItem>>,
    pub(super) prompts: Vec<Arc<PromptItem>>,
    pub(super) resources: Vec<Arc<ResourceItem>>,
    /// Whether the server has resources, also if it lists none.
    pub(super) has_resources: bool,
    /// The instructions of the server, if the mount adds them.
    pub(super) instructions: Option<String>,
    pub(super) warnings: Warnings,
}

/// The items that are left out, and why.
#[derive(Default)]
pub(super) struct Warnings {
    pub(super) texts: Vec<String>,
    /// How many more there were.
    more: usize,
}

/// How many warnings about the items of one server are kept.
const MOST_WARNINGS: usize = 20;

impl Warnings {
    fn add(&mut self, warning: String) {
        if self.texts.len() < MOST_WARNINGS { self.texts.push(warning) } else { self.more += 1 }
    }

    /// Says how many were not kept.
    fn finish(&mut self) {
        if self.more > 0 {
            self.texts.push(format!("and {} more warnings", self.more));
        }
    }
}

/// Tells whether the other server has changed an item.
pub(super) type Digest = [u8; 32];

/// An item of a mounted server, as it is offered here.
pub(super) trait MountedItem: Send + Sync + 'static {
    type Kind: ServiceItem + ?Sized;

    /// Returns the name in the list of this server.
    fn name(&self) -> &str;

    fn digest(&self) -> &Digest;

    /// Returns the item for the list of this server.
    fn item(self: &Arc<Self>) -> Box<Self::Kind>;
}

impl LoadedItems {
    /// Reads the lists of a server. An item that has not changed is that of `before`.
    ///
    /// # Errors
    /// Fails if the server cannot be reached, or answers wrongly.
    pub(super) async fn read(mounted: &Mounted, before: Option<&Self>) -> Result<Self, RemoteError> {
        let remote = &mounted.remote;
        let RemoteOffers { tools, prompts, resources, completions } = remote.offers().await?;
        let others = !mounted.mount.tools_only;
        let mut read = Self::default();
        if mounted.mount.instructions {
            read.instructions = remote.instructions().await?.and_then(|text| introduced(mounted, &text));
        }
        if tools {
            let listed = remote.list(ListName::Tools).await?;
            read.warn_of_unknown(mounted, &listed);
            let before = before.map(|before| &*before.tools);
            read.tools =
                items(&listed, before, &mut read.warnings, |tool, digest| ToolItem::read(mounted, tool, digest));
        }
        if prompts && others {
            let listed = read.listed(remote, ListName::Prompts).await?;
            let before = before.map(|before| &*before.prompts);
            let of = |prompt: &Value, digest| PromptItem::read(mounted, prompt, completions, digest);
            read.prompts = items(&listed, before, &mut read.warnings, of);
        }
        read.has_resources = resources && others;
        if read.has_resources {
            let before = before.map(|before| &*before.resources);
            for name in [ListName::Resources, ListName::ResourceTemplates] {
                let listed = read.listed(remote, name).await?;
                let of = |resource: &Value, digest| ResourceItem::read(mounted, resource, completions, digest);
                let mut items = items(&listed, before, &mut read.warnings, of);
                read.resources.append(&mut items);
            }
        }
        read.warnings.finish();
        Ok(read)
    }

    /// Reads a list that the server may not have, although its capabilities say so.
    async fn listed(&mut self, remote: &Remote, name: ListName) -> Result<Arc<[Value]>, RemoteError> {
        match remote.list(name).await {
            Err(error @ RemoteError::Refused { .. }) => {
                self.warnings.add(error.to_string());
                Ok(Arc::default())
            }
            listed => listed,
        }
    }

    /// Warns of names in the settings of the mount that no tool has.
    fn warn_of_unknown(&mut self, mounted: &Mounted, listed: &[Value]) {
        let mut unknown = mounted.mount.named_tools();
        listed.iter().filter_map(|tool| tool["name"].as_str()).for_each(|name| {
            unknown.remove(name);
        });
        for name in unknown {
            self.warnings.add(format!("the server has no tool `{name}`, which the mount names"));
        }
    }
}

/// The longest instructions of a server that are added, in bytes.
const LONGEST_INSTRUCTIONS: usize = 4096;

/// Returns the instructions of a server, with an introduction.
fn introduced(mounted: &Mounted, instructions: &str) -> Option<String> {
    let text = beginning(instructions.trim(), LONGEST_INSTRUCTIONS);
    let Mounted { name, prefix, .. } = mounted;
    let tools = if prefix.is_empty() { String::new() } else { format!(", whose names begin with `{prefix}` here") };
    (!text.is_empty()).then(|| format!("Instructions for the tools of `{name}`{tools}:\n\n{text}"))
}

/// Reads the items of a list. Adds a warning for each that is left out.
fn items<I: MountedItem>(
    listed: &[Value],
    before: Option<&[Arc<I>]>,
    warnings: &mut Warnings,
    read: impl Fn(&Value, Digest) -> Result<Option<I>, String>,
) -> Vec<Arc<I>> {
    let before: HashMap<_, _> = before.into_iter().flatten().map(|item| (item.digest(), item)).collect();
    let mut items = Vec::with_capacity(listed.len());
    for object in listed {
        let digest = Hash::hash(object.to_string().as_bytes());
        if let Some(known) = before.get(&digest) {
            items.push(Arc::clone(known));
            continue;
        }
        match read(object, digest) {
            Ok(item) => items.extend(item.map(Arc::new)),
            Err(reason) => {
                let name = shortened(object["name"].as_str().unwrap_or("without a name"));
                warnings.add(format!("`{name}` is left out: {reason}"));
            }
        }
    }
    items
}

/// The members that all kinds of items have.
#[derive(Deserialize)]
pub(super) struct Described {
    pub(super) name: String,
    pub(super) title: Option<String>,
    description: Option<String>,
    icons: Option<Value>,
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Value>>,
}

impl Described {
    /// Returns the description. An item must have one here, but not in the protocol.
    pub(super) fn description(&self, mounted: &Mounted, operation: Operation) -> String {
        match self.description.as_ref().filter(|text| !text.trim().is_empty()) {
            Some(description) => description.clone(),
            None => format!("The {} `{}` of `{}`.", operation.noun(), self.name, mounted.name),
        }
    }

    /// Removes the link to a view, whose page this server does not serve.
    pub(super) fn without_view(mut self) -> Self {
        let meta = self.meta.iter_mut();
        meta.for_each(|meta| {
            meta.shift_remove(FLAT_RESOURCE_URI);
            meta.get_mut(UI).and_then(Value::as_object_mut).map(|ui| ui.shift_remove(RESOURCE_URI));
        });
        self
    }

    /// Returns the function that sets what all kinds of items have.
    ///
    /// # Errors
    /// Returns the reason why the item must not be offered.
    pub(super) fn describe(
        self,
        mounted: &Mounted,
        scopes: Vec<Cow<'static, str>>,
    ) -> Result<impl FnOnce(ToolDefinition) -> ToolDefinition, String> {
        let Self { title, icons, mut meta, .. } = self;
        add_gateway(&mut meta, &mounted.gateway)?;
        let scopes = [mounted.mount.scopes.clone(), scopes].concat();
        Ok(move |mut definition: ToolDefinition| {
            definition.title = title.map(Cow::Owned).or(definition.title);
            definition.icons = read_icons(icons.as_ref());
            definition.meta = meta;
            definition.scopes = scopes;
            definition
        })
    }
}

/// Reads the icons that this crate knows.
fn read_icons(icons: Option<&Value>) -> Vec<Icon> {
    let icons = icons.and_then(Value::as_array);
    icons.into_iter().flatten().filter_map(|icon| Icon::deserialize(icon).ok()).collect()
}

/// Returns the function that asks the other server for completions of an argument.
pub(super) fn completed(
    remote: &Remote,
    argument: CompletedArgument,
) -> NamedFunction<CompletionRequest, CompleteFuture> {
    let remote = remote.clone();
    let complete = move |request: CompletionRequest| -> CompleteFuture {
        let (remote, mut argument) = (remote.clone(), argument.clone());
        request.value().clone_into(&mut argument.typed);
        argument.filled = request.filled();
        Box::pin(async move {
            let asked = ClientRequest::Completion(argument);
            let result = remote.pass_on_once(asked, &request.call).await.map_err(passed_on)?;
            Ok(remote.read_result("completion/complete", &result, Completion::read)?)
        })
    };
    NamedFunction::new(complete, Vec::new())
}
