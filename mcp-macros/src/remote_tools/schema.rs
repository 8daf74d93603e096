//! Reads JSON Schema as Rust types. What no type expresses is any JSON, so each schema has a type.

use std::{
    collections::{HashMap, HashSet},
    ptr,
};

use proc_macro2::Ident;
use serde_json::Value;

use super::{
    names::{Names, field_name, type_name},
    text::documentation,
    types::{Definition, Field, Kind, Type, Usage, Variant},
};

/// How deep types are nested. What is deeper is any JSON, so that no schema overflows the stack.
const DEEPEST: usize = 64;

/// Reads the schemas of one document.
pub(super) struct Reader<'a> {
    /// The document, in which references are resolved.
    document: &'a Value,
    usage: Usage,
    names: &'a mut Names,
    definitions: &'a mut Vec<Definition>,
    /// The types of schemas, by their addresses in the document.
    known: HashMap<*const Value, Type>,
    /// The schemas around the one that is being read.
    open: Vec<*const Value>,
    /// The name with which the names of referenced types begin.
    prefix: String,
}

/// How a type is called if it needs a name, and what is written about it if its schema has no description.
pub(super) struct Named {
    pub(super) wanted: String,
    pub(super) docs: String,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        document: &'a Value,
        usage: Usage,
        names: &'a mut Names,
        definitions: &'a mut Vec<Definition>,
    ) -> Self {
        let (known, open, prefix) = (HashMap::new(), Vec::new(), String::new());
        Self { document, usage, names, definitions, known, open, prefix }
    }

    /// Defines the arguments of a tool, which are always a struct.
    pub(super) fn arguments(&mut self, ident: &Ident, docs: String) {
        let root = resolved(self.document, self.document);
        self.prefix = ident.to_string();
        self.known.insert(ptr::from_ref(root), Type::Defined(ident.clone()));
        self.open.push(ptr::from_ref(root));
        self.define_struct(root, ident, docs);
    }

    /// Returns the type of a schema.
    pub(super) fn read(&mut self, schema: &'a Value, named: &Named) -> Type {
        if self.prefix.is_empty() {
            self.prefix.clone_from(&named.wanted);
        }
        let here = ptr::from_ref(schema);
        let is_open = self.open.contains(&here);
        match self.known.get(&here) {
            Some(ty) if is_open => boxed(ty.clone()),
            Some(ty) => ty.clone(),
            // A reference that leads to itself has no end.
            None if is_open || self.open.len() == DEEPEST => Type::Any,
            None => {
                self.open.push(here);
                let ty = self.read_new(schema, named);
                self.open.pop();
                self.known.insert(here, ty.clone());
                ty
            }
        }
    }

    fn read_new(&mut self, schema: &'a Value, named: &Named) -> Type {
        let has_properties = schema["properties"].is_object();
        if let Some(reference) = schema["$ref"].as_str() {
            return self.referenced(reference);
        }
        if let (Some([only]), false) = (list(&schema["allOf"]), has_properties) {
            return self.read(only, named);
        }
        if let (Some(options), false) = (list(&schema["anyOf"]).or(list(&schema["oneOf"])), has_properties) {
            let kinds: Vec<_> = options.iter().filter(|option| option["type"] != "null").collect();
            let optional = kinds.len() < options.len();
            return match (&kinds[..], texts(&kinds)) {
                ([only], _) => nullable(optional, self.read(only, named)),
                (_, Some(texts)) => nullable(optional, self.define_enum(schema, named, &texts)),
                _ => Type::Any,
            };
        }
        if let Some(texts) = texts(&[schema]) {
            let nulls = list(&schema["enum"]).is_some_and(|values| values.contains(&Value::Null));
            return nullable(nulls, self.define_enum(schema, named, &texts));
        }
        let all: Vec<_> = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            Value::String(only) => vec![only],
            _ if has_properties => vec!["object"],
            _ => Vec::new(),
        };
        let types: Vec<_> = all.iter().copied().filter(|ty| *ty != "null").collect();
        let is_nullable = types.len() < all.len();
        let ty = match types[..] {
            ["string"] => Type::Text,
            ["integer"] => integer(schema),
            ["number"] => Type::Number,
            ["boolean"] => Type::Boolean,
            ["array"] if schema["prefixItems"].is_array() => Type::List(Type::Any.into()),
            ["array"] => Type::List(unboxed(self.read(&schema["items"], named)).into()),
            ["object"] => return self.object(schema, named, is_nullable),
            _ => return Type::Any,
        };
        nullable(is_nullable, ty)
    }

    fn object(&mut self, schema: &'a Value, named: &Named, is_nullable: bool) -> Type {
        let has = |key: &str| schema[key].as_object().is_some_and(|members| !members.is_empty());
        let is_closed = schema["additionalProperties"] == false && !has("patternProperties");
        if !has("properties") && list(&schema["required"]).is_none() && !is_closed {
            let values = &schema["additionalProperties"];
            let patterns = has("patternProperties");
            let values = if patterns { Type::Any } else { unboxed(self.read(values, named)) };
            return nullable(is_nullable, Type::Map(values.into()));
        }
        let ident = self.names.distinct(&named.wanted);
        let ty = nullable(is_nullable, Type::Defined(ident.clone()));
        // Before its fields, which can contain it.
        self.known.insert(ptr::from_ref(schema), ty.clone());
        self.define_struct(schema, &ident, documented(schema, named));
        ty
    }

    fn define_struct(&mut self, schema: &'a Value, ident: &Ident, docs: String) {
        let index = self.definitions.len();
        let kind = Kind::Struct(Vec::new());
        self.definitions.push(Definition { ident: ident.clone(), docs, usage: self.usage, kind });
        // Behind it, so that a type is above the types inside of it.
        let fields = self.fields(schema, ident);
        self.definitions[index].kind = Kind::Struct(fields);
    }

    /// Returns the fields of an object. A property that is required and not described can have any value.
    fn fields(&mut self, schema: &'a Value, ident: &Ident) -> Vec<Field> {
        let required: Vec<_> = list(&schema["required"]).unwrap_or_default().iter().filter_map(Value::as_str).collect();
        let mut undescribed = required.clone();
        undescribed.sort_unstable();
        undescribed.dedup();
        undescribed.retain(|name| schema["properties"].get(name).is_none());
        let mut names = Names::default();
        let all = schema["properties"].as_object().into_iter().flatten().map(|(name, schema)| (&**name, schema));
        let fields = all.chain(undescribed.into_iter().map(|name| (name, &Value::Null))).map(|(name, schema)| {
            let label = format!("`{}`", name.replace('`', "'"));
            let wanted = format!("{ident}{}", type_name(name, "Field"));
            let required = required.contains(&name);
            let ty = match self.read(schema, &Named { wanted, docs: format!("The value of {label}.") }) {
                // One that is left out and one that is `null` are the same.
                Type::Optional(ty) if !required => *ty,
                ty => ty,
            };
            let docs = described(schema).unwrap_or_else(|| format!(" The property {label}."));
            let ident = names.distinct(&field_name(name));
            Field { ident, name: name.to_owned(), docs, ty, required }
        });
        fields.collect()
    }

    fn define_enum(&mut self, schema: &'a Value, named: &Named, texts: &[&str]) -> Type {
        // An output has this variant for all other texts.
        let mut names = if self.usage == Usage::Output { Names::with("Other") } else { Names::default() };
        let variants = texts.iter().map(|text| Variant {
            ident: names.distinct(&type_name(text, "Value")),
            text: (*text).to_owned(),
            docs: documentation(text).unwrap_or_else(|| " An empty text.".to_owned()),
        });
        let kind = Kind::Enum(variants.collect());
        let ident = self.names.distinct(&named.wanted);
        let docs = documented(schema, named);
        self.definitions.push(Definition { ident: ident.clone(), docs, usage: self.usage, kind });
        Type::Defined(ident)
    }

    /// Returns the type of another place in the document.
    fn referenced(&mut self, reference: &str) -> Type {
        let Some(schema) = target(self.document, reference) else { return Type::Any };
        // Another name of a type is not a type that contains itself.
        let schema = resolved(self.document, schema);
        let name = reference.rsplit('/').next().unwrap_or_default();
        let wanted = format!("{}{}", self.prefix, type_name(name, "Part"));
        self.read(schema, &Named { wanted, docs: format!("A part of `{}`.", self.prefix) })
    }
}

/// Returns the schema to which a schema refers, or the schema itself.
pub(super) fn resolved<'a>(document: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..DEEPEST {
        match schema["$ref"].as_str().and_then(|reference| target(document, reference)) {
            Some(next) => schema = next,
            None => break,
        }
    }
    schema
}

/// Returns the place of a reference inside of the document.
fn target<'a>(document: &'a Value, reference: &str) -> Option<&'a Value> {
    document.pointer(reference.strip_prefix('#')?)
}

/// Returns the texts that are the only values of all these schemas, each text once.
fn texts<'a>(schemas: &[&'a Value]) -> Option<Vec<&'a str>> {
    let (mut texts, mut known) = (Vec::new(), HashSet::new());
    for schema in schemas {
        let values = match (list(&schema["enum"]), &schema["const"]) {
            (Some(values), _) => values,
            (None, only @ Value::String(_)) => std::slice::from_ref(only),
            _ => return None,
        };
        for value in values.iter().filter(|value| !value.is_null()) {
            let text = value.as_str()?;
            if known.insert(text) {
                texts.push(text);
            }
        }
    }
    (!texts.is_empty()).then_some(texts)
}

fn integer(schema: &Value) -> Type {
    let least = |key: &str| schema[key].as_f64().unwrap_or(f64::NEG_INFINITY);
    if least("minimum") > -1.0 || least("exclusiveMinimum") >= -1.0 { Type::Natural } else { Type::Integer }
}

fn nullable(is_nullable: bool, ty: Type) -> Type {
    match ty {
        ty @ (Type::Optional(_) | Type::Any) => ty,
        ty if is_nullable => Type::Optional(ty.into()),
        ty => ty,
    }
}

/// Returns the type as a part of itself.
fn boxed(ty: Type) -> Type {
    match ty {
        Type::Defined(ident) => Type::Boxed(ident),
        Type::Optional(ty) => Type::Optional(boxed(*ty).into()),
        ty => ty,
    }
}

/// Returns the type as the element of a list or a map, which need no box inside of them.
fn unboxed(ty: Type) -> Type {
    if let Type::Boxed(ident) = ty { Type::Defined(ident) } else { ty }
}

/// Returns the elements of a list that is not empty.
fn list(value: &Value) -> Option<&[Value]> {
    value.as_array().map(Vec::as_slice).filter(|values| !values.is_empty())
}

fn documented(schema: &Value, named: &Named) -> String {
    described(schema).unwrap_or_else(|| format!(" {}", named.docs))
}

fn described(schema: &Value) -> Option<String> {
    schema["description"].as_str().and_then(documentation)
}
