const _: &::core::primitive::str = ::core::include_str!("remote_tools.json");
use ::mcp_runtime::__private::serde as __serde_of_remote_tools_json;
#[doc = " Creates an issue.\\\n Returns its \\`number\\`."]
#[derive(:: core :: clone :: Clone, :: core :: fmt :: Debug, :: mcp_runtime :: __private :: serde :: Serialize)]
#[serde(crate = "__serde_of_remote_tools_json")]
pub struct CreateIssue {
    #[doc = " The title."]
    pub title: ::std::string::String,
    #[doc = " The property `kind`."]
    pub kind: CreateIssueKind,
    #[doc = " The property `labels`."]
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub labels: ::core::option::Option<::std::vec::Vec<CreateIssueLabels>>,
    #[doc = " The property `parentIssue`."]
    #[serde(rename = "parentIssue", skip_serializing_if = "::core::option::Option::is_none")]
    pub parent_issue: ::core::option::Option<::core::primitive::u64>,
    #[doc = " The property `extra`."]
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub extra: ::core::option::Option<
        ::std::collections::BTreeMap<::std::string::String, ::core::option::Option<::core::primitive::f64>>,
    >,
    #[doc = " The property `split`."]
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub split: ::core::option::Option<::std::boxed::Box<CreateIssue>>,
}
impl CreateIssue {
    #[doc = " Creates the value with what is required, and without the rest."]
    #[must_use]
    pub fn new(title: impl ::core::convert::Into<::std::string::String>, kind: CreateIssueKind) -> Self {
        Self {
            title: ::core::convert::Into::into(title),
            kind,
            labels: ::core::option::Option::None,
            parent_issue: ::core::option::Option::None,
            extra: ::core::option::Option::None,
            split: ::core::option::Option::None,
        }
    }
}
#[doc = " The value of `kind`."]
#[derive(
    :: core :: clone :: Clone,
    :: core :: fmt :: Debug,
    :: mcp_runtime :: __private :: serde :: Serialize,
    :: core :: cmp :: PartialEq,
    :: core :: cmp :: Eq,
)]
#[serde(crate = "__serde_of_remote_tools_json")]
#[non_exhaustive]
pub enum CreateIssueKind {
    #[doc = " bug"]
    #[serde(rename = "bug")]
    Bug,
    #[doc = " feature request"]
    #[serde(rename = "feature request")]
    FeatureRequest,
}
#[doc = " The value of `labels`."]
#[derive(:: core :: clone :: Clone, :: core :: fmt :: Debug, :: mcp_runtime :: __private :: serde :: Serialize)]
#[serde(crate = "__serde_of_remote_tools_json")]
pub struct CreateIssueLabels {
    #[doc = " The property `name`."]
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub name: ::core::option::Option<::std::string::String>,
}
impl CreateIssueLabels {
    #[doc = " Creates the value with what is required, and without the rest."]
    #[must_use]
    pub fn new() -> Self {
        Self { name: ::core::option::Option::None }
    }
}
impl ::core::default::Default for CreateIssueLabels {
    fn default() -> Self {
        Self::new()
    }
}
#[doc = " The structured content of the tool `create_issue`."]
#[derive(:: core :: clone :: Clone, :: core :: fmt :: Debug, :: mcp_runtime :: __private :: serde :: Deserialize)]
#[serde(crate = "__serde_of_remote_tools_json")]
pub struct CreateIssueOutput {
    #[doc = " The property `number`."]
    pub number: ::core::primitive::i64,
    #[doc = " The property `state`."]
    pub state: CreateIssueOutputState,
    #[doc = " The property `url`."]
    pub url: ::core::option::Option<::std::string::String>,
}
#[doc = " The value of `state`."]
#[derive(
    :: core :: clone :: Clone,
    :: core :: fmt :: Debug,
    :: mcp_runtime :: __private :: serde :: Deserialize,
    :: core :: cmp :: PartialEq,
    :: core :: cmp :: Eq,
)]
#[serde(crate = "__serde_of_remote_tools_json")]
#[non_exhaustive]
pub enum CreateIssueOutputState {
    #[doc = " open"]
    #[serde(rename = "open")]
    Open,
    #[doc = " closed"]
    #[serde(rename = "closed")]
    Closed,
    #[doc = " A text that the schema does not name."]
    #[serde(untagged)]
    Other(::std::string::String),
}
#[doc = " The arguments of the tool `list-issues`."]
#[derive(:: core :: clone :: Clone, :: core :: fmt :: Debug, :: mcp_runtime :: __private :: serde :: Serialize)]
#[serde(crate = "__serde_of_remote_tools_json")]
pub struct ListIssues {}
impl ListIssues {
    #[doc = " Creates the value with what is required, and without the rest."]
    #[must_use]
    pub fn new() -> Self {
        Self {}
    }
}
impl ::core::default::Default for ListIssues {
    fn default() -> Self {
        Self::new()
    }
}
impl ::mcp_runtime::remote::RemoteTool for CreateIssue {
    const NAME: &'static ::core::primitive::str = "create_issue";
    type Output = ::mcp_runtime::Json<CreateIssueOutput>;
}
impl ::mcp_runtime::remote::RemoteTool for ListIssues {
    const NAME: &'static ::core::primitive::str = "list-issues";
    type Output = ::mcp_runtime::CallToolResult;
}
