//! The errors of actions, as text for a model and as data.

use serde::Serialize;
use serde_json::{Map, Value};

use super::parameters::{ParameterFacts, ParameterSet};
use crate::wire::schema::{Violation, Violations, nearest::nearest};

/// The reason why an action was not run or has failed.
#[derive(Clone, Debug, Default, Serialize, thiserror::Error)]
#[error("{message}")]
pub(super) struct ActionFailure {
    pub(super) kind: FailureKind,
    pub(super) message: String,
    /// Boxed, because errors are moved often.
    #[serde(flatten)]
    pub(super) details: Box<FailureDetails>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct FailureDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    /// The HTTP status that corresponds to the failure. It is set only if there are too many runs: 429 if
    /// the owner has too many, and 503 if all owners together have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<String>,
    /// The names of all actions, or of all entries of the catalog.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    known: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<ParameterProblem>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FailureKind {
    /// The input is not an object with `action` and `params`.
    InvalidInput,
    UnknownAction,
    UnknownName,
    InvalidParams,
    UnknownRun,
    /// The run has ended, so it cannot be changed.
    RunEnded,
    TooManyRuns,
    /// The action itself failed.
    #[default]
    Failed,
}

/// A problem with one parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct ParameterProblem {
    pub(super) param: String,
    pub(super) problem: ProblemKind,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) got: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ProblemKind {
    Unknown,
    Missing,
    Type,
    Value,
    Range,
    #[default]
    Other,
}

impl ActionFailure {
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), ..Self::default() }
    }

    /// Creates the error of an action that ran and failed.
    pub(super) fn of_action(action: &str, message: impl Into<String>) -> Self {
        let mut failure = Self::new(FailureKind::Failed, message);
        failure.details.action = Some(action.to_owned());
        failure
    }

    /// Creates the error for a name that does not exist. `what` is the kind of the name, such as "action".
    pub(super) fn unknown(kind: FailureKind, what: &str, name: &str, known: Vec<String>) -> Self {
        let did_you_mean = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        let meant = did_you_mean.as_ref().map(|near| format!(" Did you mean '{near}'?")).unwrap_or_default();
        let list = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
        let message = format!("unknown {what} '{name}'.{meant} The known names are: {list}");
        let details = Box::new(FailureDetails { did_you_mean, known, ..FailureDetails::default() });
        Self { kind, message, details }
    }

    /// Creates the error for invalid parameters.
    pub(super) fn params(action: &str, problems: Vec<ParameterProblem>) -> Self {
        let lines: Vec<_> = problems.iter().map(|problem| format!("- {}", problem.message)).collect();
        let message = format!("invalid params for '{action}':\n{}", lines.join("\n"));
        let action = Some(action.to_owned());
        let details = Box::new(FailureDetails { action, problems, ..FailureDetails::default() });
        Self { kind: FailureKind::InvalidParams, message, details }
    }
}

/// Explains what is wrong with these parameters, a JSON object. `violations` are the errors that the check against the
/// schema has found.
pub(super) fn problems(set: &ParameterSet, params: &str, violations: &Violations) -> Vec<ParameterProblem> {
    let params: Map<String, Value> = serde_json::from_str(params).unwrap_or_default();
    let mut found: Vec<ParameterProblem> = Vec::new();
    for violation in violations.iter() {
        let problem = problem(set, &params, violation);
        // A value that fits no alternative can break several rules.
        if !found.iter().any(|earlier| earlier.param == problem.param && earlier.message == problem.message) {
            found.push(problem);
        }
    }
    found
}

fn problem(set: &ParameterSet, params: &Map<String, Value>, violation: &Violation) -> ParameterProblem {
    let Some((name, inside)) = violation.place.argument() else {
        return ParameterProblem::new("params", ProblemKind::Other, format!("`params`: {violation}"));
    };
    // The value can have been sent under an alias.
    let got = params.get(name).filter(|_| inside.is_empty());
    if inside.is_empty() {
        let facts = set.property(name).and_then(ParameterFacts::of);
        if let Some(problem) = facts.and_then(|facts| plain(set, name, got, &facts)) {
            return problem;
        }
        if set.property(name).is_none() && got.is_some() {
            return unknown(set, name);
        }
    }
    let mut problem = ParameterProblem::new(&violation.place.path(), ProblemKind::Other, violation.to_string());
    problem.got = got.cloned();
    problem.with_hint(set.hint(name))
}

/// Explains an error that concerns the whole value of a parameter.
fn plain(set: &ParameterSet, name: &str, got: Option<&Value>, facts: &ParameterFacts<'_>) -> Option<ParameterProblem> {
    let values = facts.values();
    let allowed = || values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    let one_of = || format!("one of: {}", values.join(", "));
    let expected = || match (values.is_empty(), facts.range()) {
        (false, _) => one_of(),
        (true, Some(range)) => format!("{} {range}", facts.noun()),
        (true, None) => facts.noun(),
    };
    let problem = match got {
        None if set.is_required(name) => {
            let message = format!("`{name}` is required: {}", expected());
            ParameterProblem { allowed: allowed(), ..ParameterProblem::new(name, ProblemKind::Missing, message) }
        }
        None => return None,
        Some(got) if !values.is_empty() && !got.as_str().is_some_and(|text| values.contains(&text)) => {
            let near = got.as_str().and_then(|text| nearest(text, values.iter().copied())).map(str::to_owned);
            let meant = near.as_ref().map(|near| format!(". Did you mean '{near}'?")).unwrap_or_default();
            let message = format!("`{name}` must be {} (got {}){meant}", one_of(), shown(got));
            let problem = ParameterProblem::new(name, ProblemKind::Value, message);
            ParameterProblem { allowed: allowed(), did_you_mean: near, ..problem }
        }
        Some(got) if facts.is_of_other_type(got) => {
            let message = format!("`{name}` must be {} (got {})", expected(), shown(got));
            ParameterProblem::new(name, ProblemKind::Type, message)
        }
        Some(got) if facts.is_out_of_range(got) => {
            let message = format!("`{name}` must be {} (got {})", facts.range()?, shown(got));
            ParameterProblem::new(name, ProblemKind::Range, message)
        }
        Some(_) => return None,
    };
    let (minimum, maximum) = (facts.minimum().cloned(), facts.maximum().cloned());
    Some(ParameterProblem { got: got.cloned(), minimum, maximum, ..problem }.with_hint(set.hint(name)))
}

fn unknown(set: &ParameterSet, name: &str) -> ParameterProblem {
    let known: Vec<_> = set.properties().map(|(name, _)| name.to_owned()).collect();
    let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    let message = match (&near, &known[..]) {
        (Some(near), _) => format!("`{name}` is not a parameter; did you mean `{near}`?"),
        (None, []) => format!("`{name}` is not a parameter; this action has no parameters"),
        (None, _) => format!("`{name}` is not a parameter; the parameters are: {}", known.join(", ")),
    };
    let problem = ParameterProblem::new(name, ProblemKind::Unknown, message);
    ParameterProblem { allowed: known, did_you_mean: near, ..problem }
}

impl ParameterProblem {
    pub(super) fn new(param: &str, problem: ProblemKind, message: String) -> Self {
        Self { param: param.to_owned(), problem, message, ..Self::default() }
    }

    fn with_hint(mut self, hint: Option<&str>) -> Self {
        if let Some(hint) = hint {
            let stop = if self.message.ends_with(['.', '?']) { "" } else { "." };
            self.message = format!("{}{stop} Hint: {hint}", self.message);
            self.hint = Some(hint.to_owned());
        }
        self
    }
}

/// Returns a value as text for a message, such as `'standard'` or `12`. A long value is cut.
pub(super) fn shown(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
