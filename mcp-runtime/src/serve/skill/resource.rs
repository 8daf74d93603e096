//! The files of skills as resources.

use std::{borrow::Cow, panic::Location, sync::Arc, time::Duration};

use super::{entry::SkillEntry, source::SkillSource};
use crate::{
    engine::{call::Call, tool::ArgumentsError},
    serve::{
        resource::{
            CacheHints, CacheScope, ListRequest, ListResourcesFuture, ReadRequest, ReadResourceFuture, Resource,
            ResourceDefinition, ResourceEntry, ResourceList, ResourcePage, ResourceWatch,
        },
        server::DEFAULT_TTL,
    },
};

/// The number of files in one page of a list.
const PAGE: usize = 200;

/// The files of one source of skills.
pub(crate) struct SkillResource {
    pub(super) source: SkillSource,
    /// The URI of the folder that contains the files, with a `/` at its end.
    pub(super) root: String,
    /// The scopes that callers need.
    pub(super) scopes: Vec<Cow<'static, str>>,
    /// How long clients can cache the skills and their files.
    pub(super) ttl: Option<Duration>,
    /// Whether lists leave out the skills.
    pub(super) is_unlisted: bool,
    pub(super) declared_at: &'static Location<'static>,
}

impl SkillResource {
    /// Returns the template that matches the URIs of all files.
    pub(super) fn template(&self) -> String {
        format!("{}{{+path}}", self.root)
    }

    /// Returns how long and for whom clients can cache the skills, if the server does not set a time.
    pub(super) fn cache(&self, of_server: Option<Duration>) -> CacheHints {
        let fixed = if self.source.is_fixed() { DEFAULT_TTL } else { Duration::ZERO };
        let scope = if self.scopes.is_empty() { CacheScope::Public } else { CacheScope::Private };
        CacheHints { ttl: self.ttl.or(of_server).unwrap_or(fixed), scope }
    }
}

impl Resource for SkillResource {
    fn definition(&self) -> ResourceDefinition {
        let template = self.template();
        let CacheHints { ttl, scope } = self.cache(None);
        let definition = ResourceDefinition::new(template.clone(), template, "The files of skills.")
            .ttl(ttl)
            .cache_scope(scope)
            .hide_template()
            .declared_at(self.declared_at);
        self.scopes.iter().fold(definition, |definition, scope| definition.scope(scope.clone()))
    }

    fn read(&self, _: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        self.source.read(request.uri())
    }

    fn list(&self, request: ListRequest) -> Option<ListResourcesFuture> {
        if self.is_unlisted {
            return None;
        }
        let (entries, cache) = (self.source.entries(), self.cache(None));
        let after = request.cursor().map(str::to_owned);
        Some(Box::pin(async move {
            let entries = entries.await?;
            Ok(page(&entries, after.as_deref()).ttl(cache.ttl).cache_scope(cache.scope))
        }))
    }

    fn begin_watch(&self, list: &dyn Fn() -> ResourceList) -> Option<ResourceWatch> {
        self.source.begin_watch(list)
    }
}

/// Returns the files after the one with the URI `after`.
fn page(entries: &[Arc<SkillEntry>], after: Option<&str>) -> ResourcePage {
    let mut files: Vec<_> = entries
        .iter()
        .flat_map(|entry| entry.files.iter().map(move |file| (entry, file)))
        .filter(|(_, file)| after.is_none_or(|after| file.uri.as_str() > after))
        .collect();
    files.sort_by(|(_, one), (_, other)| one.uri.cmp(&other.uri));
    let next = files.get(PAGE).and_then(|_| files.get(PAGE - 1)).map(|(_, file)| file.uri.clone());
    let shown = files.into_iter().take(PAGE).map(|(entry, file)| entry.resource(file));
    let page = ResourcePage::new(shown.collect::<Vec<ResourceEntry>>());
    match next {
        Some(next) => page.next_cursor(next),
        None => page,
    }
}
