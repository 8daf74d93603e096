//! Reads which items of the crate each file of `mcp-runtime/src` uses. Paths are followed through re-exports to the
//! module that defines the item.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use syn::{
    Attribute, File, Item, ItemMacro, ItemMod, ItemUse, Macro, Meta, Token, UseTree, Visibility,
    punctuated::Punctuated,
    spanned::Spanned as _,
    visit::{self, Visit},
};

use crate::repository::{path, sources::for_each_source};

/// The names on the way from the crate's root to a module or to an item.
pub(crate) type Names = Vec<String>;

/// A path in the code: its location, the module that contains it, and the item that it names.
pub(crate) struct Used {
    pub(crate) place: String,
    pub(crate) by: Names,
    pub(crate) what: Names,
}

/// A file of the crate, or a text that stands for one.
pub(crate) struct Source {
    name: String,
    module: Names,
    syntax: File,
}

impl Source {
    /// Parses a file of the crate. `name` is its path in `mcp-runtime/src`.
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let mut module: Names =
            Path::new(name).with_extension("").iter().map(|name| name.display().to_string()).collect();
        module.pop_if(|last| last == "mod" || last == "lib");
        let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), module, syntax }
    }
}

/// Returns the files of the crate, without tests. Tests may use what they like.
pub(crate) fn sources() -> Vec<Source> {
    let root = path("mcp-runtime/src");
    let mut sources = Vec::new();
    for_each_source(&root, &mut |file, text| {
        sources.push(Source::new(&file.strip_prefix(&root).unwrap().display().to_string(), text));
    });
    sources.retain(|source| !source.module.iter().any(|name| name == "tests"));
    sources
}

/// Returns all uses of the crate's items in these files.
pub(crate) fn uses(sources: &[Source]) -> Vec<Used> {
    let mut names = Imports::default();
    names.modules.extend(sources.iter().map(|source| source.module.clone()));
    let mut all = Vec::new();
    for source in sources {
        let mut paths =
            Paths { file: &source.name, module: source.module.clone(), used: Vec::new(), names: &mut names };
        paths.visit_file(&source.syntax);
        all.append(&mut paths.used);
    }
    for used in &mut all {
        used.what = names.origin(&used.what, 0);
    }
    all
}

/// The modules of the crate, and the names that their `use` items bring in.
#[derive(Default)]
struct Imports {
    modules: HashSet<Names>,
    /// The targets of each imported name. A module and a macro can have the same name.
    targets: HashMap<Names, Vec<Names>>,
}

impl Imports {
    /// Follows a path through re-exports to the module that defines the item.
    fn origin(&self, path: &Names, depth: usize) -> Names {
        let module = (0..=path.len()).rev().find(|end| self.modules.contains(&path[..*end])).unwrap_or(0);
        let name = (module + 1).min(path.len());
        let Some(targets) = self.targets.get(&path[..name]).filter(|_| depth < 8) else { return path.clone() };
        let ends_here = name == path.len();
        let target = targets.iter().find(|target| ends_here || self.modules.contains(*target)).unwrap_or(&targets[0]);
        let next = [target, &path[name..]].concat();
        if next == *path { next } else { self.origin(&next, depth + 1) }
    }
}

/// The paths of one file.
struct Paths<'a> {
    file: &'a str,
    /// The module that is visited.
    module: Names,
    used: Vec<Used>,
    names: &'a mut Imports,
}

impl Paths<'_> {
    /// Returns the names on the way from the root to the item of this path. Returns `None` for another crate's item.
    fn resolve(&self, path: &[String]) -> Option<Names> {
        let mut base = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            Some(first) => Some(&self.module)
                .filter(|module| {
                    let child = [&module[..], &[first.to_owned()]].concat();
                    self.names.modules.contains(&child)
                })?
                .clone(),
            None => return None,
        };
        for name in path {
            match name.as_str() {
                "crate" | "self" => {}
                "super" => drop(base.pop()),
                _ => base.push(name.clone()),
            }
        }
        Some(base)
    }

    fn take(&mut self, line: usize, path: &[String]) {
        if let Some(what) = self.resolve(path) {
            let place = format!("{}:{line}: {}", self.file, what.join("::"));
            self.used.push(Used { place, by: self.module.clone(), what });
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let line = item.span().start().line;
        leaves(&item.tree, Vec::new(), &mut |path, name| {
            self.take(line, &path);
            if let (Some(target), Some(name)) = (self.resolve(&path), name) {
                let imported = [&self.module[..], &[name]].concat();
                self.names.targets.entry(imported).or_default().push(target);
            }
        });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.take(path.span().start().line, &names);
        }
        visit::visit_path(self, path);
    }

    /// Also takes the paths in the arguments of a macro, and in the body of `macro_rules!`.
    fn visit_macro(&mut self, item: &'ast Macro) {
        let line = item.span().start().line;
        // Tokens are printed with spaces between them, but for `$crate`.
        let text = item.tokens.to_string().replace("::", " :: ").replace('$', " ");
        let tokens: Vec<_> = text.split_whitespace().collect();
        for (index, _) in tokens.iter().enumerate().filter(|(_, token)| **token == "crate") {
            let rest = tokens[index + 1..].chunks_exact(2).take_while(|pair| pair[0] == "::" && is_name(pair[1]));
            let names: Names = ["crate"].into_iter().chain(rest.map(|pair| pair[1])).map(str::to_owned).collect();
            if names.len() > 1 {
                self.take(line, &names);
            }
        }
        visit::visit_macro(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        if let Some(name) =
            item.ident.as_ref().filter(|_| item.attrs.iter().any(|it| it.path().is_ident("macro_export")))
        {
            let defined = [&self.module[..], &[name.to_string()]].concat();
            self.names.targets.entry(vec![name.to_string()]).or_default().push(defined);
        }
        visit::visit_item_macro(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            self.names.modules.insert(self.module.clone());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !attributes.iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    /// The path in `pub(in …)` uses nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

/// Passes all paths of a `use` tree to `take`, without a `self` at the end, and the name that each path gets.
fn leaves(tree: &UseTree, mut path: Names, take: &mut impl FnMut(Names, Option<String>)) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            leaves(&inner.tree, path, take);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, path.clone(), take)),
        UseTree::Name(name) => {
            path.extend(Some(name.ident.to_string()).filter(|name| name != "self"));
            let name = path.last().cloned();
            take(path, name);
        }
        UseTree::Rename(name) => {
            path.extend(Some(name.ident.to_string()).filter(|name| name != "self"));
            take(path, Some(name.rename.to_string()));
        }
        UseTree::Glob(_) => take(path, None),
    }
}

fn is_name(token: &str) -> bool {
    token.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Returns whether this is `#[cfg(test)]`, or a `#[cfg(all(…))]` with `test`.
pub(crate) fn is_test(attribute: &Attribute) -> bool {
    fn needs_test(meta: &Meta) -> bool {
        let all = |list: &syn::MetaList| {
            let inner = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            inner.is_ok_and(|inner| inner.iter().any(needs_test))
        };
        meta.path().is_ident("test") || matches!(meta, Meta::List(list) if list.path.is_ident("all") && all(list))
    }
    attribute.path().is_ident("cfg") && attribute.parse_args().is_ok_and(|meta: Meta| needs_test(&meta))
}
