//! Writes an entry to the file of a host, and removes it again.

use std::path::Path;

use serde_json::Value;

use super::{
    edit::{
        difference::difference,
        file::{ConfigFile, NewFile},
    },
    places::Places,
    program::file_name,
};
use crate::edge::hosts::{
    entry::{ServerEntry, ServerTarget},
    format::ValueSlot,
    known::{KnownHost, Scope},
};

/// Where an entry is written, and what may happen there.
pub(crate) struct Installer<'a> {
    pub(crate) places: &'a Places,
    pub(crate) scope: Scope,
    /// The name of this program's file. An entry that starts another program is not ours.
    pub(crate) program: &'a str,
    /// Whether an entry of another program may be replaced or removed.
    pub(crate) force: bool,
    /// Whether nothing is written.
    pub(crate) dry_run: bool,
}

/// What was done, or what would be done.
#[derive(Debug, PartialEq)]
pub(crate) enum Applied {
    Added {
        path: String,
        backup: Option<String>,
    },
    Replaced {
        path: String,
        backup: Option<String>,
    },
    Unchanged {
        path: String,
    },
    Removed {
        path: String,
        backup: Option<String>,
    },
    Absent {
        path: String,
    },
    /// The difference that a dry run has not written.
    WouldChange {
        path: String,
        difference: String,
    },
}

/// Errors are texts for the user that name the file.
impl Installer<'_> {
    pub(crate) fn install(&self, host: &KnownHost, entry: &ServerEntry) -> Result<Applied, String> {
        let mut values = host.form.values(entry, host.title)?;
        let file = self.open(host)?;
        let named = |error: String| in_file(file.path(), &error);
        let slot = slot(host, &entry.name, file.text()).map_err(named)?;
        let existing = host.format.get(file.text(), &slot).map_err(named)?;
        let present = existing.as_ref().map(|existing| present(host, &entry.name, &slot, existing, file.text()));
        if let Some((place, _)) = values.last_mut() {
            *place = slot;
        }
        if let Some(existing) = &existing {
            let is_own_url = |url: &str| matches!(&entry.target, ServerTarget::Url(own) if own == url);
            self.check_own(host, &entry.name, existing, &file, is_own_url)?;
        }
        let is_stale = |slot: &ValueSlot| !values.iter().any(|(wanted, _)| wanted == slot);
        let stale: Vec<_> =
            present.iter().flatten().map(|(slot, _)| slot).filter(|slot| is_stale(slot)).cloned().collect();
        let kept = host.format.remove(file.text(), &stale, None).map_err(named)?;
        let text = host.format.insert(kept.as_deref().unwrap_or(file.text()), &values).map_err(named)?;
        let path = file.path().display().to_string();
        if text == file.text() {
            return Ok(Applied::Unchanged { path });
        }
        if self.dry_run {
            return Ok(Applied::WouldChange { path, difference: difference(file.text(), &text) });
        }
        self.write(host, &entry.name, &file, &text, present.as_deref())?;
        let backup = file.exists().then(|| file.backup_path(&entry.name).display().to_string());
        Ok(match existing {
            None => Applied::Added { path, backup },
            Some(_) => Applied::Replaced { path, backup },
        })
    }

    pub(crate) fn remove(&self, host: &KnownHost, name: &str) -> Result<Applied, String> {
        let file = self.open(host)?;
        let named = |error: String| in_file(file.path(), &error);
        let path = file.path().display().to_string();
        let slot = slot(host, name, file.text()).map_err(named)?;
        let Some(existing) = host.format.get(file.text(), &slot).map_err(named)? else {
            return Ok(Applied::Absent { path });
        };
        self.check_own(host, name, &existing, &file, |_| true)?;
        let present = present(host, name, &slot, &existing, file.text());
        let slots: Vec<_> = present.iter().map(|(slot, _)| slot.clone()).collect();
        let before = file.backup(name);
        let text = host.format.remove(file.text(), &slots, before.as_deref()).map_err(named)?.unwrap_or_default();
        // A file with nothing else, and without a backup, was created for the entry.
        let is_created = before.is_none() && host.format.leads_to("", &present, file.text());
        if self.dry_run {
            let text = if is_created { "" } else { &text };
            return Ok(Applied::WouldChange { path, difference: difference(file.text(), text) });
        }
        if is_created {
            file.delete()?;
            return Ok(Applied::Removed { path, backup: None });
        }
        let is_exact = before.as_ref() == Some(&text);
        if !is_exact {
            file.back_up(name)?;
        }
        file.replace(&text, NewFile::Private)?;
        if is_exact {
            file.delete_backup(name);
        }
        Ok(Applied::Removed { path, backup: (!is_exact).then(|| file.backup_path(name).display().to_string()) })
    }

    /// Writes the file with a new entry, after its backup. `present` is what the file has of the entry already.
    fn write(
        &self,
        host: &KnownHost,
        name: &str,
        file: &ConfigFile,
        text: &str,
        present: Option<&[(ValueSlot, Value)]>,
    ) -> Result<(), String> {
        // The file as it was before the first installation stays the backup, as long as it leads to this file.
        let before = file.backup(name).zip(present);
        let is_current = before.is_some_and(|(before, present)| host.format.leads_to(&before, present, file.text()));
        if !is_current {
            file.back_up(name)?;
        }
        let written = file.replace(text, if self.scope == Scope::User { NewFile::Private } else { NewFile::Shared });
        if written.is_err() && !is_current {
            file.delete_backup(name);
        }
        written
    }

    /// Whether the host's file has an entry of this name. A file that cannot be read has none.
    pub(crate) fn has_entry(&self, host: &KnownHost, name: &str) -> bool {
        let Ok(file) = self.open(host) else { return false };
        let found = slot(host, name, file.text()).and_then(|slot| host.format.get(file.text(), &slot));
        matches!(found, Ok(Some(_)))
    }

    fn open(&self, host: &KnownHost) -> Result<ConfigFile, String> {
        ConfigFile::open(&self.places.path(host.file(self.scope)?))
    }

    /// # Errors
    /// If the entry is that of another server, which only has the same name.
    fn check_own(
        &self,
        host: &KnownHost,
        name: &str,
        existing: &Value,
        file: &ConfigFile,
        is_own_url: impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        let (program, url) = (host.form.program_of(existing), host.form.url_of(existing));
        let other = match (program, url) {
            _ if self.force => return Ok(()),
            (Some(program), _) if file_name(program) == self.program => return Ok(()),
            (Some(program), _) => format!("starts `{program}`"),
            (None, Some(url)) if is_own_url(url) => return Ok(()),
            (None, Some(url)) => format!("is at `{url}`"),
            (None, None) => "has another form".to_owned(),
        };
        let path = file.path().display();
        Err(format!(
            "`{path}` has an entry `{name}` that {other}; choose another name with `--name`, or overwrite it with `--force`"
        ))
    }
}

fn in_file(path: &Path, error: &str) -> String {
    format!("`{}` cannot be edited: {error}", path.display())
}

/// Returns the place of an entry in this file.
fn slot(host: &KnownHost, name: &str, text: &str) -> Result<ValueSlot, String> {
    host.form.slot_in(name, |slot| host.format.get(text, slot))
}

/// Returns what the file contains for an entry: the inputs that were made for it, and the entry.
fn present(host: &KnownHost, name: &str, slot: &ValueSlot, existing: &Value, text: &str) -> Vec<(ValueSlot, Value)> {
    let inputs = host.form.inputs_of(name, existing).into_iter();
    let inputs = inputs.filter_map(|slot| Some((slot.clone(), host.format.get(text, &slot).ok()??)));
    inputs.chain([(slot.clone(), existing.clone())]).collect()
}

#[cfg(test)]
mod tests;
