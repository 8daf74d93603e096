//! What a model reads before it calls an action: the text in the instructions of the server, and the action `describe`.

use serde_json::{Map, Value, json};

use super::{
    action::ActionKind,
    catalog::find,
    failure::{ActionFailure, FailureKind, shown},
    parameters::{ParameterFacts, ParameterSet},
    set::{ActionSet, DESCRIBE},
};
use crate::{
    base::error::ToolError,
    wire::{protocol::json::object_of_some, schema::example},
};

impl ActionSet {
    /// Returns the text that follows the name of the tool in the instructions of a server.
    pub(super) fn guide(&self, more: &[String]) -> String {
        let first = self.actions.first().map(|action| &action.name);
        let of_one = json!({ "action": DESCRIBE, "params": { "action": first } });
        let mut text = format!(
            "is one tool with several actions. Every call has an `action` and an object `params`. Work in this order:\n\
             1. {{\"action\":\"{DESCRIBE}\"}} lists the actions.\n\
             2. {of_one} shows the parameters of one action, with an example.\n\
             3. Call the action with these parameters. If a call fails, fix what the error describes, and call again."
        );
        if self.catalog.is_some() {
            let of_entry = json!({ "action": DESCRIBE, "params": { "name": "…" } });
            text.push_str(&format!(
                "\nStep 1 also lists the entries of a catalog. {of_entry} shows the parameters of one entry."
            ));
        }
        let runs = self.actions.iter().filter(|action| matches!(action.kind, ActionKind::Run(_)));
        let runs: Vec<_> = runs.map(|action| &*action.name).collect();
        if !runs.is_empty() {
            let status = json!({ "action": "status", "params": { "run_id": "…", "wait": true } });
            text.push_str(&format!(
                "\nThese actions start a run in the background and return its `run_id`: {}. A call with `\"wait\": \
                 true` in `params` waits for the end of the run and returns the outputs. {status} waits for a run that \
                 was started before, and asks the user the questions of the run. `cancel` ends a run, `restart` starts \
                 it again, `runs` lists your runs.",
                runs.join(", ")
            ));
        }
        for more in self.instructions.into_iter().chain(more.iter().map(|text| &**text)) {
            text.push('\n');
            text.push_str(more);
        }
        text
    }
}

/// Describes all actions in brief, one action in full, or one entry of the catalog.
pub(super) async fn describe(set: &ActionSet, params: &Map<String, Value>) -> Result<Value, ToolError> {
    let has_catalog = set.catalog.is_some();
    let known = |key: &&String| *key == "action" || (has_catalog && *key == "name");
    if let Some(other) = params.keys().find(|key| !known(key)) {
        let names = if has_catalog { "`action` and `name`" } else { "`action`" };
        let message = format!("`{other}` is not a parameter of 'describe', which takes {names}");
        return Err(ActionFailure::new(FailureKind::InvalidParams, message).into());
    }
    let text = |key: &str| match params.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(&**text)),
        Some(other) => {
            let message = format!("`{key}` must be a string (got {})", shown(other));
            Err(ActionFailure::new(FailureKind::InvalidParams, message))
        }
    };
    match (text("action")?, text("name")?) {
        (None, None) => brief(set).await,
        (Some(action), None) => Ok(of_action(set, action)?),
        (None, Some(name)) => of_entry(set, name).await,
        (Some(_), Some(_)) => {
            let message = "'describe' takes `action` or `name`, not both";
            Err(ActionFailure::new(FailureKind::InvalidParams, message).into())
        }
    }
}

async fn brief(set: &ActionSet) -> Result<Value, ToolError> {
    let actions = set.actions.iter().map(|action| json!({ "action": action.name, "summary": action.summary() }));
    let actions: Vec<_> = actions.chain([json!({ "action": DESCRIBE, "summary": set.describe_summary() })]).collect();
    let names = match &set.catalog {
        Some(catalog) => {
            let names = catalog.names().await?;
            Some(names.into_iter().map(|(name, summary)| json!({ "name": name, "summary": summary })).collect())
        }
        None => None,
    };
    let next = json!({ "action": DESCRIBE, "params": { "action": set.actions.first().map(|action| &action.name) } });
    Ok(object_of_some([
        ("actions", Some(actions.into())),
        ("names", names),
        ("next", Some(format!("describe one action before you call it: {next}").into())),
    ]))
}

fn of_action(set: &ActionSet, name: &str) -> Result<Value, ActionFailure> {
    if name == DESCRIBE {
        let mut params = vec![json!({
            "name": "action", "type": "string", "required": false, "values": set.names().collect::<Vec<_>>(),
            "description": "the action to describe in full",
        })];
        if set.catalog.is_some() {
            params.push(json!({
                "name": "name", "type": "string", "required": false,
                "description": "the name of the catalog entry to describe in full",
            }));
        }
        let example = json!({ "action": DESCRIBE });
        return Ok(json!({
            "action": DESCRIBE, "description": set.describe_summary(), "params": params, "example": example,
        }));
    }
    let (index, _) = set.find(name)?;
    let action = &set.actions[index];
    let example = example::arguments(&action.parameters.published).unwrap_or_else(|| json!({}));
    Ok(json!({
        "action": action.name,
        "description": action.description,
        "params": parameters(&action.parameters),
        "example": { "action": action.name, "params": example },
    }))
}

async fn of_entry(set: &ActionSet, name: &str) -> Result<Value, ToolError> {
    // Without a catalog, `name` is not a known parameter.
    let Some(catalog) = &set.catalog else { return brief(set).await };
    let entry = find(&**catalog, name).await?;
    let set = entry.parameters().map_err(|problem| {
        let message = format!("the parameters of '{}' are not valid: {problem}", entry.name);
        ActionFailure::new(FailureKind::Failed, message)
    })?;
    Ok(json!({
        "name": entry.name,
        "summary": entry.summary(),
        "description": entry.description,
        "params": parameters(&set),
        "example": example::arguments(&set.published).unwrap_or_else(|| json!({})),
    }))
}

fn parameters(set: &ParameterSet) -> Value {
    let described = |(name, schema): (&str, &Value)| {
        let (is_required, hint) = (set.is_required(name), set.hint(name));
        match ParameterFacts::of(schema) {
            Some(facts) => facts.describe(name, is_required, hint, 0),
            None => json!({ "name": name, "type": "any value", "required": is_required }),
        }
    };
    set.properties().map(described).collect()
}
