//! Generates arguments from a schema, to test whether the author's types read what the schema allows.

use serde_json::{Map, Value};

use crate::wire::protocol::json::{get, set};

/// Arguments that a schema allows.
pub(super) struct Example {
    pub(super) value: Value,
    pub(super) choices: Vec<NameChoice>,
}

/// A place in the example for which the schema lists the allowed names.
pub(super) struct NameChoice {
    /// The place in the example, as a JSON pointer.
    pub(super) at: String,
    /// A JSON pointer to the place in the schema where the names are listed.
    pub(super) schema: String,
    pub(super) names: Vec<String>,
    pub(super) role: NameRole,
}

/// The place of a variant's name in the JSON of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NameRole {
    /// The name is the value itself, for an enum without data.
    Value,
    /// The name is the only key of the object, for an enum with data.
    Key,
    /// The name is the value of this key, for an enum with data and `#[serde(tag = "…")]`.
    Tag(String),
}

impl Example {
    /// Generates arguments with every property that the schema declares. Returns `None` if it finds no valid
    /// arguments.
    pub(super) fn whole(schema: &Value) -> Option<Self> {
        Self::made(schema, false)
    }

    /// Generates arguments with the required properties, and with the optional properties that contain a
    /// [`NameChoice`].
    pub(super) fn sparse(schema: &Value) -> Option<Self> {
        Self::made(schema, true)
    }

    fn made(schema: &Value, is_sparse: bool) -> Option<Self> {
        let mut maker = Maker { is_sparse, choices: Vec::new() };
        let value = maker.value(schema, &Position::default())?;
        Some(Self { value, choices: maker.choices })
    }

    /// Returns a copy of the example in which the value at the JSON pointer `at` is `value`.
    pub(super) fn with(&self, at: &str, value: Value) -> Value {
        let mut example = self.value.clone();
        if let Some(place) = example.pointer_mut(at) {
            *place = value;
        }
        example
    }
}

/// Returns arguments that the schema allows: the required ones, and the optional ones that contain a value for which
/// the schema lists the allowed names.
pub(crate) fn arguments(schema: &Value) -> Option<Value> {
    Example::sparse(schema).map(|example| example.value)
}

/// Returns the names that a schema lists, either in `enum` or in one `const` for each name.
pub(crate) fn names(keywords: &Map<String, Value>) -> Vec<&str> {
    let list = |key: &str| get(keywords, key).and_then(Value::as_array).into_iter().flatten();
    let described = list("oneOf").filter_map(Value::as_object).flat_map(|branch| match get(branch, "const") {
        Some(name) => name.as_str().into_iter().collect(),
        None => names(branch),
    });
    list("enum").filter_map(Value::as_str).chain(described).collect()
}

/// Returns the name of the variant that this branch of a union describes, and the role of the name in the JSON.
pub(super) fn branch_name(branch: &Value) -> Option<(NameRole, &str)> {
    let properties = branch.get("properties")?.as_object()?;
    let required = branch.get("required")?.as_array()?;
    let tag = properties.iter().find_map(|(key, schema)| {
        let name = schema.get("const")?.as_str()?;
        required.iter().any(|required| required == key).then(|| (NameRole::Tag(key.clone()), name))
    });
    tag.or_else(|| match (properties.keys().next(), &required[..]) {
        (Some(key), [only]) if properties.len() == 1 && only == key => Some((NameRole::Key, key)),
        _ => None,
    })
}

/// The current place in the example and in the schema.
#[derive(Clone, Default)]
struct Position {
    at: String,
    schema: String,
    depth: usize,
}

impl Position {
    fn schema(&self, step: &str) -> Self {
        Self { schema: format!("{}/{step}", self.schema), depth: self.depth + 1, ..self.clone() }
    }

    fn inside(&self, step: &str, key: &str) -> Self {
        // The patterns are texts, as elsewhere. A `char` pattern would add a second copy of `replace` to every program.
        let key = key.replace("~", "~0").replace("/", "~1");
        let (step, at) = match step {
            "properties" => (format!("properties/{key}"), key),
            _ => (step.to_owned(), key),
        };
        Self { at: format!("{}/{at}", self.at), ..self.schema(&step) }
    }
}

struct Maker {
    is_sparse: bool,
    choices: Vec<NameChoice>,
}

impl Maker {
    const DEEPEST: usize = 32;

    fn value(&mut self, schema: &Value, place: &Position) -> Option<Value> {
        let Value::Object(keywords) = schema else { return (schema == true).then_some(Value::Null) };
        if place.depth > Self::DEEPEST || ["$ref", "allOf", "not", "if"].iter().any(|key| get(keywords, key).is_some())
        {
            return None;
        }
        let names = names(keywords);
        let branches = get(keywords, "oneOf").and_then(Value::as_array);
        let is_all_names = branches.is_none_or(|branches| names.len() >= branches.len() && !has_objects(branches));
        if let Some(first) = names.first()
            && is_all_names
        {
            let value = Value::from(*first);
            self.choice(place, names.into_iter(), NameRole::Value);
            return Some(value);
        }
        if let Some(value) = get(keywords, "const").or_else(|| get(keywords, "enum")?.get(0)) {
            return Some(value.clone());
        }
        let is_union = branches.is_some_and(|branches| self.union(branches, place));
        for union in ["oneOf", "anyOf"] {
            if let Some(branches) = get(keywords, union).and_then(Value::as_array) {
                let noted = self.choices.len();
                let mut branches = branches.iter().enumerate().filter(|(_, branch)| branch["type"] != "null");
                let value =
                    branches.find_map(|(at, branch)| self.value(branch, &place.schema(&format!("{union}/{at}"))));
                // The names of a branch are among those of the union.
                if is_union {
                    let inside = self.choices.split_off(noted);
                    self.choices.extend(inside.into_iter().filter(|choice| choice.at != place.at));
                }
                return value;
            }
        }
        let types = get(keywords, "type").map(|types| types.as_array().map_or(std::slice::from_ref(types), |all| all));
        let name = types.into_iter().flatten().filter_map(Value::as_str).find(|name| *name != "null");
        match name {
            Some("object") => self.object(keywords, place),
            Some("array") => self.array(keywords, place),
            Some(name) => scalar(name, keywords),
            None if get(keywords, "properties").is_some() => self.object(keywords, place),
            None => Some(Value::Null),
        }
    }

    /// Generates an object with every property, but leaves out an optional property for which no valid value is known.
    fn object(&mut self, keywords: &Map<String, Value>, place: &Position) -> Option<Value> {
        let required = |name: &str| get(keywords, "required")?.as_array()?.iter().any(|one| one == name).then_some(());
        let mut object = Map::new();
        for (name, schema) in get(keywords, "properties").and_then(Value::as_object).into_iter().flatten() {
            let noted = self.choices.len();
            match self.value(schema, &place.inside("properties", name)) {
                Some(_) if self.is_sparse && required(name).is_none() && self.choices.len() == noted => {}
                Some(value) => set(&mut object, name, value),
                None if required(name).is_some() => return None,
                None => {}
            }
        }
        Some(Value::Object(object))
    }

    /// Generates an array with as few items as the schema allows, but at least one.
    fn array(&mut self, keywords: &Map<String, Value>, place: &Position) -> Option<Value> {
        if let Some(prefix) = get(keywords, "prefixItems").and_then(Value::as_array) {
            let items = prefix.iter().enumerate().map(|(at, schema)| {
                let inside = place.inside(&format!("prefixItems/{at}"), &at.to_string());
                self.value(schema, &inside)
            });
            return items.collect::<Option<_>>().map(Value::Array);
        }
        let bound = |keyword: &str| get(keywords, keyword).and_then(Value::as_u64);
        let count = bound("minItems").unwrap_or(1).clamp(1, 64).min(bound("maxItems").unwrap_or(64));
        let Some(schema) = get(keywords, "items").filter(|_| count > 0) else { return Some(Value::Array(Vec::new())) };
        let item = self.value(schema, &place.inside("items", "0"))?;
        Some((0..count).map(|_| item.clone()).collect())
    }

    /// Records the names of a union if each branch has a name. Returns whether each branch has a name.
    fn union(&mut self, branches: &[Value], place: &Position) -> bool {
        let mut role = None;
        let mut names = Vec::new();
        for branch in branches {
            match branch_name(branch) {
                Some((own, name)) if role.as_ref().is_none_or(|role| *role == own) => {
                    role = Some(own);
                    names.push(name);
                }
                Some(_) => return false,
                None => names.extend(branch.as_object().map(self::names).into_iter().flatten()),
            }
        }
        let Some(role) = role.filter(|_| names.len() >= branches.len()) else { return false };
        self.choice(place, names.into_iter(), role);
        true
    }

    fn choice<'n>(&mut self, place: &Position, names: impl Iterator<Item = &'n str>, role: NameRole) {
        let at = match &role {
            NameRole::Tag(key) => place.inside("", key).at,
            NameRole::Value | NameRole::Key => place.at.clone(),
        };
        let names = names.map(str::to_owned).collect();
        self.choices.push(NameChoice { at, schema: place.schema.clone(), names, role });
    }
}

fn has_objects(branches: &[Value]) -> bool {
    branches.iter().any(|branch| branch.get("properties").is_some())
}

fn scalar(name: &str, keywords: &Map<String, Value>) -> Option<Value> {
    let example = get(keywords, "examples").and_then(|examples| examples.get(0));
    if let Some(value) = example.or_else(|| get(keywords, "default")).filter(|value| !value.is_null()) {
        return Some(value.clone());
    }
    let bound = |keyword: &str| get(keywords, keyword).filter(|bound| bound.is_number()).cloned();
    Some(match name {
        "boolean" => Value::Bool(false),
        "integer" | "number" => bound("minimum").or_else(|| bound("maximum")).unwrap_or_else(|| 1.into()),
        "string" if get(keywords, "format").is_some() => of_format(get(keywords, "format")?.as_str()?),
        "string" => {
            let least = get(keywords, "minLength").and_then(Value::as_u64).unwrap_or(1).min(1024);
            let most = get(keywords, "maxLength").and_then(Value::as_u64).unwrap_or(1024);
            Value::String("a".repeat(usize::try_from(least.max(1).min(most)).ok()?))
        }
        _ => Value::Null,
    })
}

fn of_format(format: &str) -> Value {
    Value::from(match format {
        "date" => "2026-01-31",
        "date-time" => "2026-01-31T12:00:00Z",
        "partial-date-time" => "2026-01-31T12:00:00",
        "time" => "12:00:00Z",
        "partial-time" => "12:00:00",
        "duration" => "PT1H",
        "uri" | "iri" | "uri-reference" => "https://example.com/",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "email" | "idn-email" => "ann@example.com",
        "ip" | "ipv4" => "127.0.0.1",
        "ipv6" => "::1",
        _ => "a",
    })
}
