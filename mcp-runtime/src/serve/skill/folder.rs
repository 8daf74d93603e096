//! The skills of a folder, which is read with every request.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io,
    path::Path,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use mcp_frontmatter::{Frontmatter, MAX_BYTES, MAX_FILES, SKILL_FILE, digest};

use super::entry::{SkillEntry, SkillFile};
use crate::{
    base::{error::ToolError, mutex::Mutex, report::report_limited},
    engine::tool::ArgumentsError,
    serve::resource::{
        Directory, FoundFile, ReadResourceResult, Resource as _, ResourceList, ResourceWatch, media_type,
    },
};

/// The maximum number of files of all skills in a folder. Their digests are kept.
const MOST_FILES: usize = 65_536;

/// How long ago a file must have changed so that its digest is kept. A file that changes twice within the resolution of
/// its time looks unchanged.
const SETTLED: Duration = Duration::from_secs(2);

/// How long `Server::skills` waits for the folder.
const FIRST_READ: Duration = Duration::from_secs(30);

pub(super) struct SkillFolder {
    directory: Directory,
    /// The digests of unchanged files, by path.
    digests: Mutex<HashMap<String, KnownDigest>>,
}

/// The digest of a file, which is valid as long as the file has this size and time.
#[derive(Clone)]
struct KnownDigest {
    size: u64,
    modified: SystemTime,
    digest: Arc<str>,
}

/// The skills that were found in the folder.
#[derive(Default)]
pub(super) struct FoundSkills {
    pub(super) entries: Vec<Arc<SkillEntry>>,
    /// Why skills are left out.
    problems: Vec<String>,
}

impl SkillFolder {
    /// Opens the folder, whose files have URIs that begin with `root`. Adds a sentence to `problems` for each problem of
    /// the folder and of its skills.
    pub(super) fn open(path: &Path, root: &str, is_watched: bool, problems: &mut Vec<String>) -> Option<Self> {
        // Hosts verify whole files, so that a file is never sent in parts.
        let directory = Directory::new(path).uri(root).max_bytes(usize::try_from(MAX_BYTES).unwrap_or(usize::MAX));
        let directory = if is_watched { directory.watch() } else { directory };
        if let Some(problem) = directory.problem() {
            problems.push(format!("skills: {problem}"));
            return None;
        }
        let folder = Self { directory, digests: Mutex::default() };
        match folder.read_all(Instant::now() + FIRST_READ) {
            Ok(found) => {
                let place = path.display();
                problems
                    .extend(found.problems.iter().map(|problem| format!("skills: in the folder `{place}`: {problem}")));
            }
            Err(error) => problems.push(format!("skills: cannot read the folder `{}`: {error}", path.display())),
        }
        Some(folder)
    }

    /// Reads the skills on a thread of the folder.
    pub(super) fn entries(
        self: &Arc<Self>,
    ) -> impl Future<Output = Result<Vec<Arc<SkillEntry>>, ToolError>> + Send + 'static {
        let folder = Arc::clone(self);
        self.directory.run(move |until| {
            let found = folder.read_all(until).map_err(|error| format!("cannot read the folder of skills: {error}"))?;
            for problem in &found.problems {
                report_limited!("a skill is left out: {problem}");
            }
            Ok(found.entries)
        })
    }

    /// Begins to read a file of a skill.
    pub(super) fn read(
        &self,
        uri: &str,
    ) -> Result<impl Future<Output = Result<ReadResourceResult, ToolError>> + Send + 'static, ArgumentsError> {
        self.directory.read_marked(uri, SKILL_FILE)
    }

    /// Returns the text of a file. Blocks the thread.
    #[cfg(feature = "cli")]
    pub(super) fn text(&self, uri: &str, until: Instant) -> Option<String> {
        let path = self.directory.path_of(uri)?;
        String::from_utf8(self.directory.bytes_of(&path, MAX_BYTES, until).ok()??).ok()
    }

    pub(super) fn begin_watch(&self, list: &dyn Fn() -> ResourceList) -> Option<ResourceWatch> {
        self.directory.begin_watch(list)
    }

    /// Reads all skills, sorted by URI. Blocks the thread.
    ///
    /// # Errors
    /// Fails if the folder cannot be read, or if it is still being read at `until`.
    pub(super) fn read_all(&self, until: Instant) -> io::Result<FoundSkills> {
        let files = self.directory.all_files(MOST_FILES, until)?;
        let known = std::mem::take(&mut *self.digests.lock());
        let mut reader = SkillReader { directory: &self.directory, known, kept: HashMap::new(), until };
        let mut found = FoundSkills::default();
        for (folder, files) in grouped(files) {
            match reader.skill(&folder, &files) {
                Ok(entry) => found.entries.push(Arc::new(entry)),
                Err(SkillError::Io(error)) if error.kind() == io::ErrorKind::TimedOut => return Err(error),
                Err(SkillError::Io(error)) => found.problems.push(format!("`{folder}`: {error}")),
                Err(SkillError::Invalid(problem)) => found.problems.push(problem),
            }
        }
        *self.digests.lock() = reader.kept;
        found.entries.sort_by(|one, other| one.uri.cmp(&other.uri));
        Ok(found)
    }
}

/// Returns the files of each skill, by its folder. A skill is the outermost folder with a `SKILL.md`; what no such folder
/// contains is left out.
fn grouped(files: Vec<FoundFile>) -> BTreeMap<String, Vec<FoundFile>> {
    let marked: HashSet<String> = files
        .iter()
        .filter_map(|file| file.path.strip_suffix(SKILL_FILE)?.strip_suffix('/'))
        .map(str::to_owned)
        .collect();
    let mut skills: BTreeMap<String, Vec<FoundFile>> = BTreeMap::new();
    for file in files {
        let mut folders = file.path.match_indices('/').map(|(end, _)| &file.path[..end]);
        if let Some(folder) = folders.find(|folder| marked.contains(*folder)).map(str::to_owned) {
            skills.entry(folder).or_default().push(file);
        }
    }
    skills
}

/// Why a skill is left out.
enum SkillError {
    Io(io::Error),
    Invalid(String),
}

impl From<io::Error> for SkillError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads skills, with the digests of the last time.
struct SkillReader<'d> {
    directory: &'d Directory,
    known: HashMap<String, KnownDigest>,
    kept: HashMap<String, KnownDigest>,
    until: Instant,
}

impl SkillReader<'_> {
    fn skill(&mut self, folder: &str, found: &[FoundFile]) -> Result<SkillEntry, SkillError> {
        if found.len() > MAX_FILES {
            let problem = format!("`{folder}` has {} files, and hosts accept at most {MAX_FILES}", found.len());
            return Err(SkillError::Invalid(problem));
        }
        check_size(folder, found.iter().map(|file| file.size).sum())?;
        let (mut frontmatter, mut files) = (None, Vec::with_capacity(found.len()));
        for file in found {
            let Some(path) = file.path.strip_prefix(folder).and_then(|path| path.strip_prefix('/')) else { continue };
            if path == SKILL_FILE {
                // Always read, so that its digest and its frontmatter are those of the same bytes.
                let Some(bytes) = self.bytes(&file.path)? else { continue };
                let name = folder.rsplit('/').next().unwrap_or(folder);
                let read = Frontmatter::of_skill(&bytes, name)
                    .map_err(|problem| SkillError::Invalid(format!("`{}`: {problem}", file.path)))?;
                frontmatter = Some(read);
                files.push(self.file(file, path, bytes.len() as u64, digest(&bytes)));
            } else if let Some((size, digest)) = self.digest(file)? {
                files.push(self.file(file, path, size, digest));
            }
        }
        check_size(folder, files.iter().map(|file| file.size).sum())?;
        let Some(Frontmatter { name, description, json }) = frontmatter else {
            return Err(SkillError::Invalid(format!("`{folder}/{SKILL_FILE}` disappeared")));
        };
        SkillEntry::new(name.into(), description.into(), &json, files)
            .map_err(|error| SkillError::Invalid(format!("`{folder}/{SKILL_FILE}`: {error}")))
    }

    fn file(&self, found: &FoundFile, path: &str, size: u64, digest: String) -> SkillFile {
        SkillFile {
            path: path.to_owned().into(),
            uri: self.directory.uri_of(&found.path),
            size,
            digest: digest.into(),
            mime_type: media_type(path, false),
        }
    }

    /// Returns the size and the digest of a file, or `None` if the file has disappeared.
    fn digest(&mut self, file: &FoundFile) -> io::Result<Option<(u64, String)>> {
        if let Some((path, known)) = self.known.remove_entry(&file.path)
            && known.size == file.size
            && Some(known.modified) == file.modified
        {
            let found = (known.size, known.digest.to_string());
            self.kept.insert(path, known);
            return Ok(Some(found));
        }
        let now = SystemTime::now();
        let Some(bytes) = self.bytes(&file.path)? else { return Ok(None) };
        let (size, digest) = (bytes.len() as u64, digest(&bytes));
        let modified = file.modified.filter(|time| now.duration_since(*time).is_ok_and(|age| age > SETTLED));
        if let Some(modified) = modified.filter(|_| size == file.size) {
            let known = KnownDigest { size, modified, digest: digest.as_str().into() };
            self.kept.insert(file.path.clone(), known);
        }
        Ok(Some((size, digest)))
    }

    fn bytes(&self, path: &str) -> io::Result<Option<Vec<u8>>> {
        // One byte more than allowed, so that a file that has grown is noticed.
        self.directory.bytes_of(path, MAX_BYTES + 1, self.until)
    }
}

fn check_size(folder: &str, size: u64) -> Result<(), SkillError> {
    if size > MAX_BYTES {
        let problem = format!("the files of `{folder}` have {size} bytes, and hosts accept at most {MAX_BYTES}");
        return Err(SkillError::Invalid(problem));
    }
    Ok(())
}
