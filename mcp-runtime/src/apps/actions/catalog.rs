//! Catalogs: things whose parameters are known only at run time.

use std::{borrow::Cow, fmt, pin::Pin};

use serde_json::{Map, Value, json};

use super::{
    action::{EntryInputs, first_line},
    failure::{ActionFailure, FailureKind, ParameterProblem, ProblemKind, problems},
    parameters::ParameterSet,
};
use crate::{base::error::ToolError, wire::schema::InputSchema};

/// Things that `describe` can show, besides the actions: pipelines, reports, templates. Their parameters are known only
/// at run time.
///
/// Put the key `catalog` into [`#[mcp_actions]`](macro@crate::mcp_actions) above the type's actions, and implement this
/// trait for the type. Then `describe` with the parameter `name` shows an entry. `#[param(inputs_of = name)]` marks the
/// parameter with the values for the entry that another parameter names. They are checked with [`CatalogEntry::check`]
/// before the action begins, and before its run begins if it works in the background:
///
/// ```
/// use mcp_runtime::{Result, actions::{Catalog, CatalogEntry, CatalogParam}, prelude::*};
/// use serde_json::{Map, Value, json};
///
/// struct Pipelines;
///
/// /// Runs data pipelines.
/// #[mcp_actions(catalog)]
/// impl Pipelines {
///     /// Starts a pipeline.
///     #[action]
///     async fn start(
///         &self,
///         name: String,
///         #[serde(default)]
///         #[param(inputs_of = name)]
///         inputs: Map<String, Value>,
///     ) -> Json<Map<String, Value>> {
///         Json(inputs)
///     }
/// }
///
/// impl Catalog for Pipelines {
///     async fn names(&self) -> Result<Vec<(String, String)>> {
///         Ok(vec![("research".into(), "Researches a topic.".into())])
///     }
///
///     async fn entry(&self, name: &str) -> Result<Option<CatalogEntry>> {
///         let depth = json!({ "enum": ["xs", "s", "m", "l"] });
///         let entry = CatalogEntry::new("research", "Researches a topic.")
///             .param(CatalogParam::new("topic", json!({ "type": "string" })).required())
///             .param(CatalogParam::new("depth", depth).default("s").hint("Use xs for fast drafts."));
///         Ok(Some(entry).filter(|_| name == "research"))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let pipelines = Pipelines.into_actions();
/// let start = |inputs: Value| json!({ "action": "start", "params": { "name": "research", "inputs": inputs } });
/// let started = pipelines.handle(start(json!({ "topic": "tea" }))).await;
/// assert_eq!(started["result"], json!({ "topic": "tea", "depth": "s" }));
///
/// let error = pipelines.handle(start(json!({ "topic": "tea", "depth": "standard" }))).await;
/// let message = "`depth` must be one of: xs, s, m, l (got 'standard'). Hint: Use xs for fast drafts.";
/// assert_eq!(error["error"]["problems"][0]["message"], message);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no catalog",
    label = "`catalog` needs `impl Catalog for {Self}`",
    note = "implement `mcp_runtime::actions::Catalog`, or remove `catalog` from `#[mcp_actions]`"
)]
pub trait Catalog: Send + Sync + 'static {
    /// Returns the names of all entries, each with one line about the entry.
    fn names(&self) -> impl Future<Output = Result<Vec<(String, String)>, ToolError>> + Send;

    /// Returns the entry with this name, or `None` if there is none.
    fn entry(&self, name: &str) -> impl Future<Output = Result<Option<CatalogEntry>, ToolError>> + Send;
}

type CatalogFuture<'c, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'c>>;

/// A catalog of any type.
#[doc(hidden)]
pub trait AnyCatalog: Send + Sync {
    fn names(&self) -> CatalogFuture<'_, Vec<(String, String)>>;
    fn entry<'c>(&'c self, name: &'c str) -> CatalogFuture<'c, Option<CatalogEntry>>;
}

impl<C: Catalog> AnyCatalog for C {
    fn names(&self) -> CatalogFuture<'_, Vec<(String, String)>> {
        Box::pin(Catalog::names(self))
    }

    fn entry<'c>(&'c self, name: &'c str) -> CatalogFuture<'c, Option<CatalogEntry>> {
        Box::pin(Catalog::entry(self, name))
    }
}

impl fmt::Debug for dyn AnyCatalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Catalog")
    }
}

/// Returns the entry with this name. The error for an unknown name lists the names of all entries.
pub(super) async fn find(catalog: &dyn AnyCatalog, name: &str) -> Result<CatalogEntry, ToolError> {
    if let Some(entry) = catalog.entry(name).await? {
        return Ok(entry);
    }
    let names = catalog.names().await?;
    let known = names.into_iter().map(|(name, _)| name).collect();
    Err(ActionFailure::unknown(FailureKind::UnknownName, "name", name, known).into())
}

/// Checks the parameters of an action that hold the inputs of an entry, and adds the defaults of the entry. `values` are
/// all parameters of the action.
pub(super) async fn check_inputs(
    catalog: &dyn AnyCatalog,
    inputs: &[EntryInputs],
    values: &mut Map<String, Value>,
) -> Result<(), ToolError> {
    for (parameter, name) in inputs {
        let Some(name) = values.get(*name).and_then(Value::as_str) else { continue };
        let entry = find(catalog, name).await?;
        let given = values.get(*parameter).filter(|given| !given.is_null()).cloned().unwrap_or_else(|| json!({}));
        let checked = entry.check(&given)?;
        values.insert((*parameter).to_owned(), checked);
    }
    Ok(())
}

/// An entry of a [`Catalog`], with its parameters.
#[derive(Clone, Debug)]
#[must_use]
pub struct CatalogEntry {
    pub(super) name: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    params: Vec<CatalogParam>,
}

/// A parameter of a [`CatalogEntry`].
#[derive(Clone, Debug)]
#[must_use]
pub struct CatalogParam {
    name: Cow<'static, str>,
    schema: Value,
    is_required: bool,
    hint: Option<Cow<'static, str>>,
}

impl CatalogEntry {
    /// Creates an entry without parameters.
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), description: description.into(), params: Vec::new() }
    }

    /// Adds a parameter.
    pub fn param(mut self, param: CatalogParam) -> Self {
        self.params.push(param);
        self
    }

    /// Checks the values of the parameters. Returns these values, and the default of each parameter whose value is
    /// missing. For a parameter of an action, write `#[param(inputs_of = …)]` instead of a call of this method.
    ///
    /// # Errors
    /// Fails if a required value is missing, or if a value is unknown or not allowed. If an action returns this error,
    /// the caller gets a message about each value, with the same words and the same data as for the action's own
    /// parameters.
    pub fn check(&self, values: &Value) -> Result<Value, ParamsError> {
        let fail = |problems| ParamsError(ActionFailure::params(&self.name, problems));
        let set = self.parameters().map_err(|problem| {
            let message = format!("the parameters of '{}' are not valid: {problem}", self.name);
            fail(vec![ParameterProblem::new("params", ProblemKind::Other, message)])
        })?;
        let given = values.to_string();
        let checked = match values {
            Value::Object(_) => set.checked(&given, set.schema.reads_json_strings()),
            // A value that is not an object fits no parameters.
            _ => set.schema.check(&given).map(|()| Cow::Borrowed("{}")),
        };
        let checked = checked.map_err(|violations| fail(problems(&set, &given, &violations)))?;
        let mut checked: Map<String, Value> = serde_json::from_str(&checked).unwrap_or_default();
        for param in &self.params {
            if let Some(default) = param.schema.get("default")
                && !checked.contains_key(&*param.name)
            {
                checked.insert(param.name.to_string(), default.clone());
            }
        }
        Ok(Value::Object(checked))
    }

    pub(super) fn summary(&self) -> &str {
        first_line(&self.description)
    }

    /// Returns the compiled parameters, or the reason why the parameters are not valid.
    pub(super) fn parameters(&self) -> Result<ParameterSet, String> {
        let properties: Map<_, _> =
            self.params.iter().map(|param| (param.name.to_string(), param.schema.clone())).collect();
        let required: Vec<_> = self.params.iter().filter(|param| param.is_required).map(|param| &param.name).collect();
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        let schema = InputSchema::new(schema).map_err(|problems| problems.join("; "))?;
        let hints = self.params.iter().filter_map(|param| Some((param.name.clone(), param.hint.clone()?))).collect();
        Ok(ParameterSet { published: schema.to_value(), schema: schema.untyped(), hints })
    }
}

impl CatalogParam {
    /// Creates a parameter with a JSON schema, such as `json!({ "type": "integer", "minimum": 1 })`. The parameter is
    /// optional.
    pub fn new(name: impl Into<Cow<'static, str>>, schema: impl Into<Value>) -> Self {
        Self { name: name.into(), schema: schema.into(), is_required: false, hint: None }
    }

    /// Makes the parameter required.
    pub fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// Sets the value that is used if the parameter is missing.
    pub fn default(mut self, default: impl Into<Value>) -> Self {
        if let Some(keywords) = self.schema.as_object_mut() {
            keywords.insert("default".to_owned(), default.into());
        }
        self
    }

    /// Sets advice, such as "Use xs for fast drafts." The action `describe` and errors show this advice.
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The error of [`CatalogEntry::check`]. Its text has one line for each problem.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParamsError(pub(super) ActionFailure);
