//! A prompt of a mounted server.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, value::to_raw_value};

use super::{
    loaded::{Described, Digest, MountedItem, completed},
    mounted::Mounted,
    names,
    rules::texts,
};
use crate::{
    engine::{
        call::{Call, operation::Operation},
        tool::ArgumentsError,
    },
    serve::{
        client::{ClientRequest, CompletedArgument},
        complete::{TextArgument, TextArguments},
        prompt::{GetPromptFuture, GetPromptResult, Prompt, PromptDefinition},
        remote::{Remote, passed_on},
    },
};

/// A prompt of a mounted server, as it is offered here.
pub(super) struct PromptItem {
    /// The name that the other server uses.
    name: String,
    remote: Remote,
    definition: PromptDefinition,
    digest: Digest,
}

/// The object of `prompts/list`.
#[derive(Deserialize)]
#[serde(expecting = "a prompt")]
struct ListedPrompt {
    #[serde(flatten)]
    described: Described,
    #[serde(default)]
    arguments: Vec<PromptArgument>,
}

#[derive(Deserialize)]
struct PromptArgument {
    name: String,
    title: Option<String>,
    description: Option<String>,
    #[serde(default)]
    required: bool,
}

impl PromptItem {
    /// Reads a prompt.
    ///
    /// # Errors
    /// Returns the reason why the prompt cannot be offered.
    pub(super) fn read(
        mounted: &Mounted,
        listed: &Value,
        completes: bool,
        digest: Digest,
    ) -> Result<Option<Self>, String> {
        let ListedPrompt { described, arguments } =
            ListedPrompt::deserialize(listed).map_err(|error| error.to_string())?;
        let (name, remote) = (described.name.clone(), mounted.remote.clone());
        let published = names::published(&mounted.prefix, &name);
        let mut definition = PromptDefinition::new(published, described.description(mounted, Operation::GetPrompt));
        for PromptArgument { name: argument, title, description, required } in arguments {
            let completer = completes.then(|| completed(&remote, CompletedArgument::new(&name, false, &argument, "")));
            let mut declared =
                if required { TextArgument::required(argument) } else { TextArgument::optional(argument) };
            declared.title = title.map(Into::into);
            declared.description = description.map(Into::into);
            declared.completer = completer;
            definition = definition.argument(declared);
        }
        let scopes = remote.scopes_of(Operation::GetPrompt, &name);
        let definition = definition.replayable().with(described.describe(mounted, scopes)?);
        Ok(Some(Self { name, remote, definition, digest }))
    }
}

impl MountedItem for PromptItem {
    type Kind = dyn Prompt;

    fn name(&self) -> &str {
        self.definition.name()
    }

    fn digest(&self) -> &Digest {
        &self.digest
    }

    fn item(self: &Arc<Self>) -> Box<dyn Prompt> {
        Box::new(MountedPrompt(Arc::clone(self)))
    }
}

/// A prompt in the list of this server.
struct MountedPrompt(Arc<PromptItem>);

impl Prompt for MountedPrompt {
    fn definition(&self) -> PromptDefinition {
        self.0.definition.clone()
    }

    fn get(&self, call: Call, arguments: TextArguments<'_>) -> Result<GetPromptFuture, ArgumentsError> {
        let PromptItem { name, remote, .. } = &*self.0;
        let arguments =
            to_raw_value(&texts(arguments.iter())).map_err(|error| ArgumentsError::new(error.to_string()))?;
        let request = ClientRequest::Prompt { name: name.clone(), arguments: Some(arguments) };
        let getting = remote.pass_on(request, Operation::GetPrompt, name, &call);
        let remote = remote.clone();
        Ok(Box::pin(async move {
            let result = getting?.await.map_err(passed_on)?;
            Ok(remote.read_result("prompts/get", &result, GetPromptResult::read)?)
        }))
    }
}
