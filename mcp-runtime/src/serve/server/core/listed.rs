//! The objects of items in lists.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use crate::{
    engine::tool::{ToolDefinition, annotations::ToolAnnotations, registered::RegisteredTool},
    wire::protocol::{content::Annotations, icon::Icon, revision::Revision},
};

/// The object of a tool, a prompt, a resource or a template in a list. Each kind has some of the members.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_template: Option<&'a str>,
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<ListedArgument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<ListedAnnotations<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Map<String, Value>>,
}

/// An argument of a prompt in a list.
#[derive(Serialize)]
pub(crate) struct ListedArgument<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'a str>,
    pub(crate) required: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ListedAnnotations<'a> {
    Tool(&'a ToolAnnotations),
    Resource(Cow<'a, Annotations>),
}

impl<'a> Listed<'a> {
    /// Creates the object of a tool.
    pub(crate) fn new(tool: &'a RegisteredTool, revision: Revision) -> Self {
        let output = tool.output.as_ref().filter(|output| output.is_carried(revision));
        let listed = Self {
            input_schema: Some(&*tool.schema.published),
            output_schema: output.map(|output| &*output.published),
            annotations: Some(ListedAnnotations::Tool(&tool.definition.annotations)),
            ..Self::of(&tool.definition)
        };
        listed.known_in(revision)
    }

    /// Creates an object with the members that all kinds of items have.
    pub(crate) fn of(definition: &'a ToolDefinition) -> Self {
        Self {
            name: &definition.name,
            title: definition.title.as_deref(),
            description: Some(&definition.description),
            icons: &definition.icons,
            meta: definition.meta.as_ref(),
            ..Self::default()
        }
    }

    /// Removes the members that this revision lacks, and annotations that say nothing.
    pub(crate) fn known_in(mut self, revision: Revision) -> Self {
        let has_structured_content = revision.has_structured_content();
        // `title`, `_meta` and `lastModified` came with structured content.
        if !has_structured_content {
            (self.title, self.meta) = (None, None);
        }
        if !revision.has_icons() {
            self.icons = &[];
        }
        self.annotations.take_if(|annotations| match annotations {
            ListedAnnotations::Tool(hints) => !revision.has_tool_annotations() || **hints == ToolAnnotations::default(),
            ListedAnnotations::Resource(annotations) => {
                if !has_structured_content && annotations.last_modified.is_some() {
                    annotations.to_mut().last_modified = None;
                }
                **annotations == Annotations::default()
            }
        });
        self
    }
}
