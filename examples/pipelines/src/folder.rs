//! The data folder. Nothing outside it can be read or written.

use std::{
    io,
    path::{Component, Path},
    sync::Arc,
};

use cap_std::{ambient_authority, fs::Dir};
use glob::{MatchOptions, Pattern};

use crate::{Format, PipelineError, Table};

/// The folder for what pipelines write, so that no run changes a source or a pipeline.
const REPORTS: &str = "reports";
/// The folder of the pipelines.
const DEFINITIONS: &str = "pipelines";
/// The maximum number of rows that a step reads.
const MAX_ROWS: usize = 2_000_000;

/// A folder with data, its pipelines in `pipelines`, and what they write in `reports`. Cheap to clone.
///
/// `cap-std` opens each file relative to the handle of the folder, so that symbolic links do not lead out of it either.
#[derive(Clone, Debug)]
pub struct DataFolder(Arc<Dir>);

impl DataFolder {
    /// Opens the folder at this path.
    ///
    /// # Errors
    /// Fails if the folder does not exist.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self(Arc::new(Dir::open_ambient_dir(path, ambient_authority())?)))
    }

    /// Reads all files that match a glob, in the order of their names. Returns the rows and the names of the files.
    ///
    /// # Errors
    /// Fails if no file matches, or a file cannot be read.
    pub fn read_tables(&self, pattern: &str) -> Result<(Table, Vec<String>), PipelineError> {
        let files = self.matching(pattern)?;
        let mut table = Table::default();
        for file in &files {
            let bytes = self.0.read(file).map_err(|error| PipelineError::reading(file, error))?;
            let read = Table::read(Format::of(file)?, &bytes).map_err(|reason| PipelineError::reading(file, reason))?;
            table.append(read);
            if table.rows.len() > MAX_ROWS {
                return Err(PipelineError::TooManyRows(MAX_ROWS));
            }
        }
        Ok((table, files))
    }

    /// Returns the path of a report in the data folder, and whether it exists.
    ///
    /// # Errors
    /// Fails if the name leads out of the folder of reports, or is that of another format.
    pub fn report(&self, name: &str) -> Result<(String, bool), PipelineError> {
        Format::of(name)?;
        let path = format!("{REPORTS}/{}", inside(name)?);
        let exists = self.0.exists(&path);
        Ok((path, exists))
    }

    /// Writes a report. A reader sees the old report or the new one, never a part.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write_report(&self, name: &str, table: &Table) -> Result<(), PipelineError> {
        let (path, _) = self.report(name)?;
        let bytes = table.write(Format::of(name)?).map_err(|reason| PipelineError::File {
            doing: "write",
            file: path.clone(),
            reason,
        })?;
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let draft = format!("{folder}/.{file}.draft");
        let written = self.0.create_dir_all(folder).and_then(|()| self.0.write(&draft, bytes));
        written
            .and_then(|()| self.0.rename(&draft, &self.0, &path))
            .map_err(|error| PipelineError::writing(&path, &error))
    }

    /// Returns the names of all pipelines.
    ///
    /// # Errors
    /// Fails if the folder `pipelines` cannot be read.
    pub fn definitions(&self) -> Result<Vec<String>, PipelineError> {
        let files = self.matching(&format!("{DEFINITIONS}/*.json"))?;
        let name =
            |file: &String| Some(file.strip_prefix(DEFINITIONS)?.strip_prefix('/')?.strip_suffix(".json")?.to_owned());
        Ok(files.iter().filter_map(name).collect())
    }

    /// Returns the text of the definition with this name, or `None` if there is none.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn definition(&self, name: &str) -> Result<Option<String>, PipelineError> {
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Ok(None);
        }
        let file = format!("{DEFINITIONS}/{name}.json");
        match self.0.read_to_string(&file) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PipelineError::reading(&file, error)),
        }
    }

    /// Returns the files that match, sorted. Hidden files and symbolic links are left out.
    fn matching(&self, pattern: &str) -> Result<Vec<String>, PipelineError> {
        let invalid =
            |error: glob::PatternError| PipelineError::Glob { pattern: pattern.into(), reason: error.msg.into() };
        let compiled = Pattern::new(inside(pattern)?).map_err(invalid)?;
        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
        let mut found = Vec::new();
        walk(&self.0, "", &mut |file| {
            if compiled.matches_with(file, options) {
                found.push(file.to_owned());
            }
        })
        .map_err(|error| PipelineError::reading(pattern, error))?;
        found.sort();
        if found.is_empty() { Err(PipelineError::NoFile(pattern.to_owned())) } else { Ok(found) }
    }
}

/// Returns the path if it stays inside its folder.
fn inside(path: &str) -> Result<&str, PipelineError> {
    let mut parts = Path::new(path).components();
    let is_inside = !path.is_empty() && !path.contains('\\') && parts.all(|part| matches!(part, Component::Normal(_)));
    if is_inside { Ok(path) } else { Err(PipelineError::Path(path.to_owned())) }
}

fn walk(folder: &Dir, prefix: &str, visit: &mut impl FnMut(&str)) -> io::Result<()> {
    for entry in folder.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.open_dir()?, &format!("{prefix}{name}/"), visit)?;
        } else if kind.is_file() {
            visit(&format!("{prefix}{name}"));
        }
    }
    Ok(())
}
