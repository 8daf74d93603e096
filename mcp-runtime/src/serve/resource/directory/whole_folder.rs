//! A folder that is read as a whole, for skills: which files it has, and their bytes.

use std::{
    borrow::Cow,
    io::{self, Read as _},
    time::Instant,
};

use super::{Directory, FoundFile, ReadResourceResult, file_uri::InvalidFileUri};
use crate::{base::error::ToolError, engine::tool::ArgumentsError, serve::resource::ResourceNotFound};

impl Directory {
    /// Returns why the folder cannot be served.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.definition.problem.as_deref()
    }

    /// Returns the URI of a file.
    pub(crate) fn uri_of(&self, path: &str) -> String {
        self.prefix.uri(path)
    }

    /// Returns the path of the file with this URI.
    #[cfg(feature = "cli")]
    pub(crate) fn path_of(&self, uri: &str) -> Option<String> {
        Some(self.prefix.parse(uri).ok()?.path.join("/"))
    }

    /// Returns all files, sorted by path. Blocks the thread.
    ///
    /// # Errors
    /// Fails if a folder cannot be read, if there are more files than `most`, or if the folder is still being read at
    /// `until`.
    pub(crate) fn all_files(&self, most: usize, until: Instant) -> io::Result<Vec<FoundFile>> {
        match self.folder()?.page(None, most, self.visibility, until)? {
            (files, false) => Ok(files),
            (_, true) => Err(io::Error::other(format!("the folder has more than {most} files"))),
        }
    }

    /// Returns the bytes of a file, but at most `most`. Returns `None` if the file is not served. Blocks the thread.
    pub(crate) fn bytes_of(&self, path: &str, most: u64, until: Instant) -> io::Result<Option<Vec<u8>>> {
        let names: Vec<Cow<'_, str>> = path.split('/').map(Cow::Borrowed).collect();
        let Some((file, _)) = self.folder()?.file(&names, self.visibility, until)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Begins to read a file, if a folder around it has a file with the name `marker`.
    ///
    /// # Errors
    /// Returns an error if the query of the URI is invalid.
    pub(crate) fn read_marked(
        &self,
        uri: &str,
        marker: &'static str,
    ) -> Result<impl Future<Output = Result<ReadResourceResult, ToolError>> + Send + 'static, ArgumentsError> {
        let parsed = match self.prefix.parse(uri) {
            Ok(parsed) => Some(parsed),
            Err(InvalidFileUri::Path) => None,
            Err(InvalidFileUri::Query(reason)) => return Err(ArgumentsError::new(reason)),
        };
        let parsed = parsed.map(|it| {
            (
                it.path.into_iter().map(|name| Cow::Owned(name.into_owned())).collect::<Vec<Cow<'static, str>>>(),
                it.range,
            )
        });
        let directory = self.clone();
        Ok(self.threads.run(move |until| {
            let (path, range) = parsed.ok_or(ResourceNotFound)?;
            if !directory.is_marked(&path, marker, until)? {
                return Err(ResourceNotFound.into());
            }
            directory.read_file(&path, range, until)
        }))
    }

    /// Runs a function that reads the folder on one of its threads.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(Instant) -> Result<T, ToolError> + Send + 'static,
    ) -> impl Future<Output = Result<T, ToolError>> + Send + 'static {
        self.threads.run(read)
    }

    fn is_marked(&self, path: &[Cow<'_, str>], marker: &str, until: Instant) -> io::Result<bool> {
        // The root itself is not such a folder.
        for depth in 1..path.len() {
            let mut marked = path[..depth].to_vec();
            marked.push(marker.into());
            if self.folder()?.file(&marked, self.visibility, until)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
