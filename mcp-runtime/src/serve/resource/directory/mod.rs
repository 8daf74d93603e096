//! A folder whose files are resources.

mod file_range;
mod file_uri;
mod folder;
mod ignore_file;
mod open_path;
mod read_threads;
mod watch;
mod watched_folders;
#[cfg(feature = "skills")]
mod whole_folder;
mod wildmatch;

use std::{
    borrow::Cow,
    io,
    path::{self, Path},
    sync::Arc,
    time::{Instant, SystemTime},
};

#[cfg(feature = "skills")]
pub(crate) use self::folder::FoundFile;
#[cfg(not(feature = "skills"))]
use self::folder::FoundFile;
use self::{
    file_range::{FileRange, FileRangeBody},
    file_uri::{ByteRange, InvalidFileUri, UriPrefix},
    folder::Folder,
    open_path::Visibility,
    read_threads::ReadThreads,
};
use super::{
    ListRequest, ListResourcesFuture, ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceContents,
    ResourceDefinition, ResourceEntry, ResourceList, ResourceNotFound, ResourcePage, definition::ResourceWatch,
    media_type::media_type,
};
use crate::{
    base::{clock, error::ToolError},
    engine::{call::Call, tool::ArgumentsError},
    wire::protocol::content::Annotations,
};

/// The number of files in one page of a list.
const PAGE: usize = 200;

/// The files of a folder as resources (feature `directory`).
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_runtime::{Server, resource::Directory};
///
/// # let folder = std::env::temp_dir().join("mcp_directory_example").join("docs");
/// # std::fs::create_dir_all(&folder)?;
/// # std::env::set_current_dir(folder.parent().unwrap())?;
/// let service = Server::new("manual", "1.0.0").resource(Directory::new("docs")).build()?;
/// # Ok(())
/// # }
/// ```
///
/// The URI of the file `guide/start.md` is `dir://docs/guide/start.md`; [`uri`](Self::uri) changes the part before the
/// path. `resources/list` lists all files, sorted by path, with MIME type, size and time of the last change. If files
/// appear or disappear while a client lists the pages, every file that exists all this time is listed exactly once.
///
/// # Which files
///
/// The server serves regular files, also in folders inside of the folder. By default, it serves neither hidden files
/// (names that begin with a period) nor files that a `.gitignore` in these folders excludes. [`hidden`](Self::hidden)
/// and [`ignored`](Self::ignored) change this. The server never serves symbolic links, devices, pipes, names
/// that are not Unicode, or files more than 64 folders deep. A file that is not listed cannot be read.
///
/// The rules of a `.gitignore` mean what they mean to Git. On Windows and on Apple's systems, letters match in both
/// cases, as `git init` configures it there. Other sources of rules are not read: a `.gitignore` above the folder,
/// `.git/info/exclude`, `core.excludesFile`. It does not matter whether Git already tracks a file.
///
/// If the rules of a folder are unknown, nothing in this folder is listed or read, and the server logs the reason. This
/// is so if its `.gitignore` is a link, a pipe or a device, has more than 4 MiB, or may not be read.
///
/// No URI reads anything outside of the folder. A path must consist of the exact names of folders and of a file. So
/// `..`, absolute paths, other spellings of a name, device names and alternate data streams do not name a file. The
/// operating system opens each file relative to the open folder. So an attacker who replaces a folder by a link cannot
/// read a file elsewhere.
///
/// # Text and bytes
///
/// If a file begins with UTF-8 text without NUL, its contents are sent as text. Any other file is sent as base64. The
/// name of the file determines the MIME type.
///
/// # Large files
///
/// One read returns at most [`max_bytes`](Self::max_bytes) of a file. A client reads a large file in several parts. At
/// the end of a URI, `?offset=` is the position of the first byte, and `&length=` is the number of bytes. If
/// another part follows, the `_meta` of the contents has the URI of the next part:
///
/// ```json
/// {
///   "uri": "dir://docs/big.log",
///   "mimeType": "text/plain",
///   "text": "…",
///   "_meta": { "offset": 0, "size": 5000000, "nextUri": "dir://docs/big.log?offset=1048576" }
/// }
/// ```
///
/// A part of a text ends between two characters, so the texts can be joined. If one read returns the whole file, the
/// contents have no such `_meta`. Clients with a revision before 2025-06-18 get no `_meta`. These clients can compare
/// the size in the list with the number of bytes that they got.
///
/// # Slow file systems
///
/// At most 8 threads read a folder at the same time; further requests wait. A request that takes longer than 30 seconds
/// fails. [`ResourceDefinition::timeout`] sets a shorter time for reads.
#[derive(Clone, Debug)]
#[must_use]
pub struct Directory {
    folder: Option<Arc<Folder>>,
    prefix: UriPrefix,
    definition: ResourceDefinition,
    visibility: Visibility,
    max_bytes: usize,
    threads: ReadThreads,
    root: path::PathBuf,
    is_watched: bool,
}

impl Directory {
    /// Opens a folder. If this fails, [`Server::build`](crate::Server::build) reports the error.
    pub fn new(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let absolute = path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let name = absolute.file_name().map_or_else(|| "files".into(), |name| name.to_string_lossy().into_owned());
        let prefix = UriPrefix::of_folder(&name);
        let mut definition = ResourceDefinition::new(prefix.template(), name, "The files of a folder.");
        let folder = Folder::open(path);
        if let Err(error) = &folder {
            definition.problem = Some(format!("cannot open the folder `{}`: {error}", path.display()));
        }
        Self {
            folder: folder.ok().map(Arc::new),
            prefix,
            definition,
            visibility: Visibility::default(),
            max_bytes: 1 << 20,
            threads: ReadThreads::new(),
            root: absolute,
            is_watched: false,
        }
    }

    /// Sets the part of each URI before the path, such as `docs://guide`. Default: `dir://` and the folder's name.
    pub fn uri(mut self, prefix: impl AsRef<str>) -> Self {
        self.prefix = UriPrefix::new(prefix.as_ref());
        self.definition.uri = self.prefix.template().into();
        self
    }

    /// Sets the name of the template. Default: the folder's name.
    pub fn name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.definition.call.name = name.into();
        self
    }

    /// Sets the description of the template. Default: "The files of a folder."
    pub fn description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.definition.call.description = description.into();
        self
    }

    /// Changes the definition of the template, for example to add a scope that callers need:
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    ///
    /// use mcp_runtime::{Server, resource::Directory};
    ///
    /// # let folder = std::env::temp_dir();
    /// let folder = Directory::new(folder).uri("docs://guide").with(|it| it.scope("read").ttl(Duration::from_secs(60)));
    /// let service = Server::new("manual", "1.0.0").resource(folder).build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with(mut self, change: impl FnOnce(ResourceDefinition) -> ResourceDefinition) -> Self {
        self.definition = change(self.definition);
        self
    }

    /// Also serves files and folders whose names begin with a period, except for `.git`.
    pub fn hidden(mut self) -> Self {
        self.visibility.hidden = true;
        self
    }

    /// Also serves the files that a `.gitignore` excludes. With [`hidden`](Self::hidden), this includes `.git`.
    pub fn ignored(mut self) -> Self {
        self.visibility.ignored = true;
        self
    }

    /// Sets the maximum number of bytes that one read returns. Default: 1 MiB. Minimum: 16.
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes.max(16);
        self
    }

    fn folder(&self) -> io::Result<&Folder> {
        self.folder.as_deref().ok_or_else(|| io::Error::other("the folder is not open"))
    }

    /// Reads a part of a file. Blocks the thread.
    fn read_file(
        &self,
        path: &[Cow<'_, str>],
        range: ByteRange,
        until: Instant,
    ) -> Result<ReadResourceResult, ToolError> {
        let failed = |error: io::Error| ToolError::from(format!("cannot read `{}`: {error}", path.join("/")));
        let found = self.folder().and_then(|folder| folder.file(path, self.visibility, until)).map_err(failed)?;
        let (file, size) = found.ok_or(ResourceNotFound)?;
        let part = FileRange::read(file, size, range, self.max_bytes).map_err(failed)?;
        let path = path.join("/");
        let is_whole = part.is_whole();
        let FileRange { body, offset, next, size } = part;
        let mime_type = media_type(&path, matches!(body, FileRangeBody::Text(_)));
        let contents = match body {
            FileRangeBody::Text(text) => ResourceContents::text(text),
            FileRangeBody::Bytes(bytes) => ResourceContents::blob(bytes),
        };
        let mut contents = contents.mime_type(mime_type.unwrap_or("application/octet-stream"));
        if !is_whole {
            contents = contents.meta("offset", offset).meta("size", size);
        }
        if let Some(next) = next {
            let range = ByteRange { offset: next, length: range.length };
            contents = contents.meta("nextUri", format!("{}{range}", self.prefix.uri(&path)));
        }
        Ok(ReadResourceResult::new([contents]))
    }

    /// Returns the files after a path. Blocks the thread.
    fn page(&self, after: Option<&str>, until: Instant) -> Result<ResourcePage, ToolError> {
        let (files, has_more) = self
            .folder()
            .and_then(|folder| folder.page(after, PAGE, self.visibility, until))
            .map_err(|error| format!("cannot list the folder: {error}"))?;
        let last = files.last().filter(|_| has_more).map(|file| file.path.clone());
        let page = ResourcePage::new(files.into_iter().map(|file| self.entry(file)));
        Ok(match last {
            Some(last) => page.next_cursor(last),
            None => page,
        })
    }

    fn entry(&self, FoundFile { path, size, modified }: FoundFile) -> ResourceEntry {
        let mut entry = ResourceEntry::new(self.prefix.uri(&path), &*path).size(size);
        if let Some(mime_type) = media_type(&path, false) {
            entry = entry.mime_type(mime_type);
        }
        match modified.and_then(timestamp) {
            Some(modified) => entry.annotations(Annotations::new().last_modified(modified)),
            None => entry,
        }
    }
}

impl Resource for Directory {
    fn definition(&self) -> ResourceDefinition {
        self.definition.clone()
    }

    fn read(&self, _: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        let parsed = match self.prefix.parse(request.uri()) {
            Ok(parsed) => parsed,
            Err(InvalidFileUri::Path) => return Ok(Box::pin(async { Err(ResourceNotFound.into()) })),
            Err(InvalidFileUri::Query(reason)) => return Err(ArgumentsError::new(reason)),
        };
        let path: Vec<Cow<'static, str>> = parsed.path.into_iter().map(|name| name.into_owned().into()).collect();
        let (directory, range) = (self.clone(), parsed.range);
        Ok(Box::pin(self.threads.run(move |until| directory.read_file(&path, range, until))))
    }

    fn list(&self, request: ListRequest) -> Option<ListResourcesFuture> {
        let directory = self.clone();
        let after = request.cursor().map(str::to_owned);
        Some(Box::pin(self.threads.run(move |until| directory.page(after.as_deref(), until))))
    }

    fn begin_watch(&self, list: &dyn Fn() -> ResourceList) -> Option<ResourceWatch> {
        // If the folder could not be opened, only this problem is reported.
        (self.is_watched && self.folder.is_some()).then(|| self.begin(list()))
    }
}

/// Returns the time in the format of RFC 3339, or `None` if the format cannot represent the year.
fn timestamp(time: SystemTime) -> Option<String> {
    clock::to_seconds(clock::millis(time.duration_since(SystemTime::UNIX_EPOCH).ok()?))
}
