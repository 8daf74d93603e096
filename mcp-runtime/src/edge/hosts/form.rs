//! The form of an entry in the file of a host.

use serde_json::{Map, Value};

use super::{
    entry::{ServerEntry, ServerTarget},
    format::ValueSlot,
};

pub(crate) struct EntryForm {
    /// The keys that lead to the table of entries.
    pub(crate) tables: &'static [&'static str],
    /// The keys that led to it in an older version of the host. Empty if they were the same.
    pub(crate) older_tables: &'static [&'static str],
    /// Members of an entry with a program that are always the same.
    pub(crate) fixed: &'static [(&'static str, Fixed)],
    pub(crate) program: ProgramForm,
    /// The key of the environment variables.
    pub(crate) variables: &'static str,
    pub(crate) url: UrlForm,
    pub(crate) secrets: SecretForm,
}

/// A value that does not depend on the entry, except for its name.
#[derive(Clone, Copy)]
pub(crate) enum Fixed {
    Text(&'static str),
    Number(u32),
    Yes,
    /// The list `["*"]`.
    Everything,
    /// The name of the entry.
    Name,
}

#[derive(Clone, Copy)]
pub(crate) enum ProgramForm {
    /// The program and the list of its arguments have keys of their own.
    Separate { program: &'static str, arguments: &'static str },
    /// One list: the program, then its arguments.
    List(&'static str),
}

#[derive(Clone, Copy)]
pub(crate) enum UrlForm {
    Member {
        fixed: &'static [(&'static str, Fixed)],
        url: &'static str,
    },
    /// The file cannot contain servers with a URL. The text says what to do.
    None(&'static str),
}

/// How an entry names a variable whose value is a secret.
pub(crate) enum SecretForm {
    /// The variable's value is a reference to a variable of the host's own environment.
    Reference {
        before: &'static str,
        behind: &'static str,
    },
    /// A list of variables that the host passes on, or asks for.
    Names(&'static str),
    /// The variable's value is a reference to an element of this list, and the host asks for its value.
    Inputs {
        list: &'static str,
    },
    None,
}

/// The member that identifies an element of the list of inputs.
const INPUT_ID: &str = "id";

impl EntryForm {
    /// Returns the place of an entry in the file.
    pub(crate) fn slot(&self, name: &str) -> ValueSlot {
        ValueSlot::member(self.tables, name)
    }

    /// Returns the place of an entry in a file, which is the older one if there are entries already. `get` returns a value
    /// of the file.
    pub(crate) fn slot_in(
        &self,
        name: &str,
        get: impl Fn(&ValueSlot) -> Result<Option<Value>, String>,
    ) -> Result<ValueSlot, String> {
        let Some((table, outer)) = self.older_tables.split_last() else { return Ok(self.slot(name)) };
        let older = get(&ValueSlot::member(outer, table))?.unwrap_or_default();
        let is_entry = |value: &Value| self.program_of(value).or(self.url_of(value)).is_some();
        Ok(match older.as_object().is_some_and(|members| members.values().any(is_entry)) {
            true => ValueSlot::member(self.older_tables, name),
            false => self.slot(name),
        })
    }

    /// Returns the values that the file gets for an entry. The last one is the entry itself.
    ///
    /// # Errors
    /// If the host cannot have such an entry. The text says what to do instead.
    pub(crate) fn values(&self, entry: &ServerEntry, title: &str) -> Result<Vec<(ValueSlot, Value)>, String> {
        let mut members = Map::new();
        let mut values = Vec::new();
        match &entry.target {
            ServerTarget::Url(url) => {
                let (fixed, key) = match self.url {
                    UrlForm::Member { fixed, url } => (fixed, url),
                    UrlForm::None(reason) => return Err(reason.to_owned()),
                };
                add_fixed(&mut members, fixed, &entry.name);
                members.insert(key.to_owned(), url.as_str().into());
            }
            ServerTarget::Program { path, arguments } => {
                add_fixed(&mut members, self.fixed, &entry.name);
                match self.program {
                    ProgramForm::Separate { program, arguments: key } => {
                        members.insert(program.to_owned(), path.as_str().into());
                        members.insert(key.to_owned(), arguments.iter().map(String::as_str).collect());
                    }
                    ProgramForm::List(key) => {
                        let words = [path].into_iter().chain(arguments);
                        members.insert(key.to_owned(), words.map(String::as_str).collect());
                    }
                }
                self.add_variables(entry, title, &mut members, &mut values)?;
            }
        }
        values.push((self.slot(&entry.name), Value::Object(members)));
        Ok(values)
    }

    fn add_variables(
        &self,
        entry: &ServerEntry,
        title: &str,
        members: &mut Map<String, Value>,
        values: &mut Vec<(ValueSlot, Value)>,
    ) -> Result<(), String> {
        let plain = entry.variables.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        let mut variables: Map<_, _> = plain.collect();
        let mut names = Vec::new();
        for secret in &entry.secrets {
            let name = &secret.name;
            match &self.secrets {
                SecretForm::Reference { before, behind } => {
                    variables.insert(name.clone(), format!("{before}{name}{behind}").into());
                }
                SecretForm::Names(_) => names.push(Value::from(name.as_str())),
                SecretForm::Inputs { list } => {
                    let id = format!("{}-{name}", entry.name);
                    variables.insert(name.clone(), input_reference(&id).into());
                    let input = [
                        ("type", "promptString".into()),
                        (INPUT_ID, Value::from(id.as_str())),
                        ("description", secret.description.as_str().into()),
                        ("password", true.into()),
                    ];
                    let input = input.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
                    values.push((ValueSlot::element(&[list], INPUT_ID, &id), Value::Object(input)));
                }
                SecretForm::None => {
                    return Err(format!(
                        "{title} neither asks for secrets nor passes variables on; give the value with `--env \
                         {name}=VALUE`, and its file contains the value in plain text"
                    ));
                }
            }
        }
        if let (SecretForm::Names(key), false) = (&self.secrets, names.is_empty()) {
            members.insert((*key).to_owned(), names.into());
        }
        if !variables.is_empty() {
            members.insert(self.variables.to_owned(), Value::Object(variables));
        }
        Ok(())
    }

    /// Returns the places of the elements that an entry in the file refers to and that were made for it.
    pub(crate) fn inputs_of(&self, name: &str, existing: &Value) -> Vec<ValueSlot> {
        let SecretForm::Inputs { list } = &self.secrets else { return Vec::new() };
        let variables = existing[self.variables].as_object().into_iter().flatten();
        let own = variables.filter_map(|(variable, value)| {
            let id = format!("{name}-{variable}");
            (value.as_str() == Some(&*input_reference(&id))).then(|| ValueSlot::element(&[list], INPUT_ID, &id))
        });
        own.collect()
    }

    /// Returns the program that an entry in the file starts.
    pub(crate) fn program_of<'a>(&self, existing: &'a Value) -> Option<&'a str> {
        match self.program {
            ProgramForm::Separate { program, .. } => existing[program].as_str(),
            ProgramForm::List(key) => existing[key][0].as_str(),
        }
    }

    /// Returns the URL of an entry in the file.
    pub(crate) fn url_of<'a>(&self, existing: &'a Value) -> Option<&'a str> {
        let UrlForm::Member { url, .. } = &self.url else { return None };
        existing[*url].as_str()
    }
}

fn input_reference(id: &str) -> String {
    format!("${{input:{id}}}")
}

fn add_fixed(members: &mut Map<String, Value>, fixed: &[(&str, Fixed)], name: &str) {
    for (key, value) in fixed {
        let value = match value {
            Fixed::Text(text) => (*text).into(),
            Fixed::Number(number) => (*number).into(),
            Fixed::Yes => true.into(),
            Fixed::Everything => Value::from(vec!["*"]),
            Fixed::Name => name.into(),
        };
        members.insert((*key).to_owned(), value);
    }
}
