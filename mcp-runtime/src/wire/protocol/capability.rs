//! Capabilities of the client that tools depend on.

use std::fmt::{self, Display};

use serde_json::{Map, Value};

use super::{
    json::{object, set},
    revision::Revision,
    scan::Scanner,
    view,
};

/// A capability of the client that a tool can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// The client can show forms to the user (`elicitation.form`).
    Elicitation,
    /// The client can open URLs for the user (`elicitation.url`).
    ElicitationUrl,
    /// The client can ask its model (`sampling`).
    Sampling,
    /// The client can ask its model and offer it tools (`sampling.tools`).
    SamplingTools,
    /// The client can list the folders that it works in (`roots`).
    Roots,
    /// The client can follow calls that continue after their request (the extension `io.modelcontextprotocol/tasks`).
    Tasks,
    /// The client can show a view in place of a form (`elicitation` of the extension `io.modelcontextprotocol/ui`).
    #[cfg(feature = "views-preview")]
    ElicitationView = 6,
    /// The client can show views beside the results of tools (the extension `io.modelcontextprotocol/ui`). Some hosts show
    /// views without declaring it, so offer views to all clients.
    Views = 7,
}

impl Capability {
    /// Returns the member with which a client declares the capability, inside of an object that has others, too.
    fn setting(self) -> Option<(&'static str, Value)> {
        match self {
            #[cfg(feature = "views-preview")]
            Self::ElicitationView => Some((view::ELICITATION, object([]))),
            Self::Views => Some(("mimeTypes", vec![Value::from(view::MIME_TYPE)].into())),
            _ => None,
        }
    }
}

/// A set of [`Capability`] values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Capabilities(u8);

/// Each capability, with the member of `ClientCapabilities` that declares it, the part of this member, and the name of the
/// capability in error messages.
const ALL: &[(Capability, &str, Option<&str>, &str)] = &[
    (Capability::Elicitation, "elicitation", Some("form"), "form elicitation"),
    (Capability::ElicitationUrl, "elicitation", Some("url"), "URL elicitation"),
    (Capability::Sampling, "sampling", None, "sampling"),
    (Capability::SamplingTools, "sampling", Some("tools"), "sampling with tools"),
    (Capability::Roots, "roots", None, "roots"),
    (Capability::Tasks, "extensions", Some(TASKS), "tasks"),
    #[cfg(feature = "views-preview")]
    (Capability::ElicitationView, "extensions", Some(view::EXTENSION), "forms rendered by a view"),
    (Capability::Views, "extensions", Some(view::EXTENSION), "views"),
];

/// The name of the tasks extension in `extensions`.
pub(crate) const TASKS: &str = "io.modelcontextprotocol/tasks";

/// The error for capabilities that are not an object of objects.
#[derive(Debug, PartialEq)]
pub(crate) struct InvalidCapabilities;

impl Capabilities {
    pub(crate) const NONE: Self = Self(0);

    /// Reads a `ClientCapabilities` object. For `elicitation`, the value `{}` means that the client shows forms. The
    /// value `{ "url": {} }` means that the client opens URLs but shows no forms.
    ///
    /// Some clients write other values for an absent or an empty member, and their meaning is clear: `null` and `false`
    /// are read as absent, `true` and `[]` as empty.
    pub(crate) fn read(text: &str) -> Result<Self, InvalidCapabilities> {
        let mut set = Self::default();
        let mut well_formed = true;
        let object = Scanner::new(text).object(|scanner, name| {
            let value = declared(scanner.value()?);
            let known = match (&*name, value) {
                ("elicitation", Some(Some(value))) => members(value, ["form", "url"]).map(|[form, url]| {
                    let url = url.unwrap_or_default();
                    set.set(Capability::Elicitation, form.unwrap_or(!url));
                    set.set(Capability::ElicitationUrl, url);
                }),
                ("sampling", Some(Some(value))) => members(value, ["tools"]).map(|[tools]| {
                    set.set(Capability::Sampling, true);
                    set.set(Capability::SamplingTools, tools.unwrap_or_default());
                }),
                ("roots", Some(Some(value))) => members(value, []).map(|[]| set.set(Capability::Roots, true)),
                ("extensions", value) => {
                    // An invalid value is not an error here, because a server does not know all extensions.
                    let known = value.flatten().and_then(|value| members(value, [TASKS, view::EXTENSION]));
                    let [tasks, views] = known.unwrap_or_default();
                    set.set(Capability::Tasks, tasks.unwrap_or_default());
                    set.set(Capability::Views, views.unwrap_or_default());
                    #[cfg(feature = "views-preview")]
                    set.set(Capability::ElicitationView, value.flatten().is_some_and(renders_forms));
                    Some(())
                }
                ("elicitation" | "sampling" | "roots", None) => None,
                _ => Some(()),
            };
            well_formed &= known.is_some();
            Ok(())
        });
        if object == Ok(true) && well_formed { Ok(set) } else { Err(InvalidCapabilities) }
    }

    /// Reads the `capabilities` of a handshake, like [`read`](Self::read). A missing object is read as an empty one, and
    /// so are the values that some clients write for it.
    pub(crate) fn of_handshake(text: Option<&str>) -> Result<Self, InvalidCapabilities> {
        match text.map(|text| declared(text).unwrap_or(Some(text))) {
            None | Some(None) => Ok(Self::default()),
            Some(Some(text)) => Self::read(text),
        }
    }

    /// Removes the capabilities that this revision does not have. The server must not use them, even if the client
    /// declares them.
    pub(crate) fn known_in(self, revision: Revision) -> Self {
        let mut unknown = Self::default();
        unknown.set(Capability::Elicitation, !revision.has_elicitation());
        unknown.set(Capability::ElicitationUrl, !revision.has_url_elicitation());
        unknown.set(Capability::SamplingTools, !revision.has_sampling_tools());
        unknown.set(Capability::Tasks, !revision.is_modern());
        #[cfg(feature = "views-preview")]
        unknown.set(Capability::ElicitationView, !revision.has_elicitation());
        self.without(unknown)
    }

    pub(crate) fn of(capabilities: &[Capability]) -> Self {
        let mut set = Self::default();
        capabilities.iter().for_each(|&capability| set.set(capability, true));
        set
    }

    /// Returns the set as the bits that journals store. The meaning of the bits must never change.
    pub(crate) fn to_bits(self) -> u8 {
        self.0
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    pub(crate) fn has(self, capability: Capability) -> bool {
        self.0 & bit(capability) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the capabilities of `self` that are not in `other`.
    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the capabilities in both sets.
    #[cfg(feature = "remote")]
    pub(crate) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the set with that of a client that follows tasks.
    #[cfg(feature = "remote")]
    pub(crate) fn with_tasks(self) -> Self {
        self.union(Self::of(&[Capability::Tasks]))
    }

    /// Returns the capabilities in either set.
    pub(crate) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the set as a `ClientCapabilities` object.
    pub(crate) fn to_json(self) -> Value {
        let mut root = Map::new();
        for (capability, member, part, _) in self.iter() {
            let declared = root.entry(*member).or_insert_with(|| object([]));
            if let (Some(part), Value::Object(declared)) = (part, declared) {
                let settings = declared.entry(*part).or_insert_with(|| object([]));
                if let (Some((name, value)), Value::Object(settings)) = (capability.setting(), settings) {
                    set(settings, name, value);
                }
            }
        }
        Value::Object(root)
    }

    fn iter(self) -> impl Iterator<Item = &'static (Capability, &'static str, Option<&'static str>, &'static str)> {
        ALL.iter().filter(move |(capability, ..)| self.has(*capability))
    }

    fn set(&mut self, capability: Capability, on: bool) {
        if on {
            self.0 |= bit(capability);
        }
    }
}

/// Returns the object with which a client declares a capability. The inner `None` means that the client does not
/// declare it. Returns `None` if the value has no meaning here.
fn declared(value: &str) -> Option<Option<&str>> {
    match value {
        _ if value.starts_with('{') => Some(Some(value)),
        "null" | "false" => Some(None),
        "true" => Some(Some("{}")),
        // Languages with one type for lists and maps write `[]` for an empty map.
        _ => value.strip_prefix('[')?.trim_ascii_start().starts_with(']').then_some(Some("{}")),
    }
}

/// Returns whether these extensions of a client contain the one for views, with forms that a view renders.
#[cfg(feature = "views-preview")]
fn renders_forms(extensions: &str) -> bool {
    let mut renders = false;
    let object = Scanner::new(extensions).object(|scanner, name| {
        let value = scanner.value()?;
        if name == view::EXTENSION {
            let [forms] = members(value, [view::ELICITATION]).unwrap_or_default();
            renders = forms.unwrap_or_default();
        }
        Ok(())
    });
    object == Ok(true) && renders
}

/// Returns for each of `names` whether the object declares it: `None` if the object does not name it, or names it with
/// `null`. Returns `None` if `text` is not an object.
fn members<const N: usize>(text: &str, names: [&str; N]) -> Option<[Option<bool>; N]> {
    let mut found = [None; N];
    let object = Scanner::new(text).object(|scanner, name| {
        let value = scanner.value()?;
        if let Some(index) = names.iter().position(|wanted| *wanted == name) {
            found[index] = (value != "null").then_some(value != "false");
        }
        Ok(())
    });
    (object == Ok(true)).then_some(found)
}

fn bit(capability: Capability) -> u8 {
    1 << (capability as u8)
}

impl Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (.., name)) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            f.write_str(name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: &str) -> Capabilities {
        Capabilities::read(json).unwrap()
    }

    #[test]
    fn reads_an_empty_elicitation_object_as_forms() {
        assert_eq!(read(r#"{"elicitation":{}}"#), Capabilities::of(&[Capability::Elicitation]));
        assert_eq!(read(r#"{"elicitation":{"url":{}}}"#), Capabilities::of(&[Capability::ElicitationUrl]));
        let both = [Capability::Elicitation, Capability::ElicitationUrl];
        assert_eq!(read(r#"{"elicitation":{"form":{},"url":{}}}"#), Capabilities::of(&both));
    }

    #[test]
    fn rejects_capabilities_that_are_not_an_object_of_objects() {
        for text in ["7", "null", "[]", r#"{"roots":1}"#, r#"{"sampling":"yes"}"#, r#"{"elicitation":[{}]}"#] {
            assert_eq!(Capabilities::read(text), Err(InvalidCapabilities), "{text}");
        }
        assert_eq!(read(r#"{"roots":null,"extensions":7}"#), Capabilities::default());
    }

    #[test]
    fn reads_null_and_false_as_absent_and_true_and_an_empty_array_as_empty() {
        for member in ["elicitation", "sampling", "roots"] {
            for absent in ["null", "false"] {
                assert_eq!(read(&format!(r#"{{"{member}":{absent}}}"#)), Capabilities::default(), "{member}: {absent}");
            }
            let empty = read(&format!(r#"{{"{member}":{{}}}}"#));
            for written in ["true", "[]", "[ ]"] {
                assert_eq!(read(&format!(r#"{{"{member}":{written}}}"#)), empty, "{member}: {written}");
            }
        }
        assert_eq!(read(r#"{"elicitation":{"form":false}}"#), Capabilities::default());
        let forms = Capabilities::of(&[Capability::Elicitation]);
        for text in [
            r#"{"elicitation":{"form":true,"url":false}}"#,
            r#"{"elicitation":{"url":false}}"#,
            r#"{"elicitation":{"form":null,"url":null}}"#,
        ] {
            assert_eq!(read(text), forms, "{text}");
        }
        assert_eq!(read(r#"{"sampling":{"tools":false}}"#), Capabilities::of(&[Capability::Sampling]));
        let tasks = |value| read(&format!(r#"{{"extensions":{{"io.modelcontextprotocol/tasks":{value}}}}}"#));
        assert_eq!((tasks("false"), tasks("null")), (Capabilities::default(), Capabilities::default()));
        assert_eq!((tasks("{}"), tasks("true")), (Capabilities::of(&[Capability::Tasks]), tasks("[]")));
    }

    #[cfg(feature = "views-preview")]
    #[test]
    fn reads_forms_rendered_by_a_view_from_the_extension() {
        let of = |ui: Value| read(&json!({ "extensions": { "io.modelcontextprotocol/ui": ui } }).to_string());
        let renders = Capabilities::of(&[Capability::ElicitationView]);
        let shows = Capabilities::of(&[Capability::Views]);
        let both = json!({ "mimeTypes": ["text/html;profile=mcp-app"], "elicitation": {} });
        assert_eq!(of(both.clone()), renders.union(shows));
        assert_eq!(renders.union(shows).to_json()["extensions"]["io.modelcontextprotocol/ui"], both);
        for other in [json!({}), json!({ "mimeTypes": [] }), json!({ "elicitation": false }), json!(7)] {
            assert_eq!(of(other.clone()), shows, "{other}");
        }
        assert_eq!(of(json!(null)), Capabilities::NONE);
        assert_eq!(renders.to_json(), json!({ "extensions": { "io.modelcontextprotocol/ui": { "elicitation": {} } } }));
    }

    #[test]
    fn a_handshake_needs_no_capabilities() {
        for none in [None, Some("null"), Some("false"), Some("true"), Some("[]"), Some("[ ]"), Some("{}")] {
            assert_eq!(Capabilities::of_handshake(none), Ok(Capabilities::default()), "{none:?}");
        }
        let roots = Capabilities::of_handshake(Some(r#"{"roots":{}}"#));
        assert_eq!(roots, Ok(Capabilities::of(&[Capability::Roots])));
        for text in ["7", "[1]", r#""""#] {
            assert!(Capabilities::of_handshake(Some(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn reads_and_writes_that_a_client_shows_views() {
        let shows = Capabilities::of(&[Capability::Views]);
        let declared = json!({ "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": [view::MIME_TYPE] } } });
        assert_eq!((read(&declared.to_string()), shows.to_json()), (shows, declared));
        assert_eq!(read(r#"{"extensions":{"io.modelcontextprotocol/ui":false}}"#), Capabilities::NONE);
    }

    #[test]
    fn names_missing_capabilities_as_the_client_declares_them() {
        let needed = Capabilities::of(&[Capability::SamplingTools, Capability::Roots]);
        let missing = needed.without(read(r#"{"roots":{"listChanged":true},"other":1}"#));
        assert_eq!(missing.to_json(), json!({ "sampling": { "tools": {} } }));
        assert_eq!(missing.to_string(), "sampling with tools");
    }
}
