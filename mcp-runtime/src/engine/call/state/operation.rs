//! The kinds of requests that calls answer.

/// The kind of request that a call answers. Calls of all kinds run in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    CallTool,
    GetPrompt,
    Complete,
    ReadResource,
    ListResources,
    /// A subscription to notices, which lasts until its client or the server ends it.
    Listen,
    GetTask,
    UpdateTask,
    CancelTask,
    ListSkills,
    GetSkill,
    /// The files in a folder of a skill.
    ReadDirectory,
}

impl Operation {
    /// Returns the JSON-RPC method of the request, such as `tools/call`.
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::CallTool => "tools/call",
            Self::GetPrompt => "prompts/get",
            Self::Complete => "completion/complete",
            Self::ReadResource => "resources/read",
            Self::ListResources => "resources/list",
            Self::Listen => "subscriptions/listen",
            Self::GetTask => "tasks/get",
            Self::UpdateTask => "tasks/update",
            Self::CancelTask => "tasks/cancel",
            Self::ListSkills => "skills/list",
            Self::GetSkill => "skills/get",
            Self::ReadDirectory => "resources/directory/read",
        }
    }

    /// Returns the kind of item that the request names, such as "tool", for use in messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::CallTool => "tool",
            Self::GetPrompt => "prompt",
            Self::Complete => "completion",
            Self::ReadResource => "resource",
            Self::ListResources => "list of resources",
            Self::Listen => "subscription",
            Self::GetTask | Self::UpdateTask | Self::CancelTask => "task",
            Self::ListSkills => "list of skills",
            Self::GetSkill => "skill",
            Self::ReadDirectory => "directory",
        }
    }
}
