//! The folders of `mcp-runtime/src` are ordered. A folder uses only itself and the folders before it.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, File, Item, ItemMod, ItemUse, UseTree,
    spanned::Spanned as _,
    visit::{self, Visit},
};

use crate::repository::path;

/// The folders in order. Each folder may use the folders before it.
pub(crate) const FLOORS: [&str; 25] = [
    "protocol",
    "schema",
    "call",
    "runs",
    "tool",
    "layer",
    "elicit",
    "sample",
    "durable",
    "store",
    "server",
    "complete",
    "prompt",
    "resource",
    "tasks",
    "transport",
    "http",
    "contract",
    "actions",
    "plugin",
    "telemetry",
    "providers",
    "cli",
    "testing",
    "__private",
];

#[test]
fn no_floor_uses_one_below_it() {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for used in all_uses() {
        let [from, to] = [&used.by, &used.what].map(|module| floor(module));
        if let (Some(from), Some(to)) = (from, to)
            && from < to
        {
            let place = format!("{}:{}: {}", used.file.display(), used.line, used.what.join("::"));
            found.entry((FLOORS[from], FLOORS[to])).or_default().push(place);
        }
    }
    assert!(found.is_empty(), "these paths run back: {found:#?}");
}

/// A path in the code, with its location and the item that it names.
struct Used {
    file: PathBuf,
    line: usize,
    by: Vec<String>,
    what: Vec<String>,
}

fn floor(module: &[String]) -> Option<usize> {
    FLOORS.iter().position(|floor| module.first().is_some_and(|first| first == floor))
}

fn all_uses() -> Vec<Used> {
    let root = path("mcp-runtime/src");
    let mut files = Vec::new();
    list(&root, &mut files);
    let mut used = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).unwrap().to_owned();
        let module = module_of(&inside);
        // Tests may use what they like.
        if module.iter().any(|name| name == "tests") {
            continue;
        }
        let syntax = parse(&file);
        let mut paths = Paths { file: inside, module, used: Vec::new() };
        paths.visit_file(&syntax);
        used.append(&mut paths.used);
    }
    let exported = exported(&parse(&root.join("lib.rs")));
    for Used { what, .. } in &mut used {
        // `crate::Ctx` is what the root exports of a floor.
        if let Some(origin) = what.first().and_then(|name| exported.get(name)) {
            what.clone_from(origin);
        }
    }
    used
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn parse(file: &Path) -> File {
    syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap()
}

fn module_of(file: &Path) -> Vec<String> {
    let mut names: Vec<_> = file.with_extension("").iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    names.pop_if(|last| last == "mod" || last == "lib");
    names
}

/// Returns the paths of the items that the root of the crate exports. The key is the name of the item.
fn exported(root: &File) -> HashMap<String, Vec<String>> {
    let mut exported = HashMap::new();
    for item in &root.items {
        let Item::Use(item) = item else { continue };
        leaves(&item.tree, Vec::new(), &mut |path| {
            if let [first, rest @ ..] = &path[..]
                && first == "self"
                && let Some(name) = rest.last()
            {
                exported.insert(name.clone(), rest.to_vec());
            }
        });
    }
    exported
}

/// Passes all paths of a `use` tree to `take`, without a `self` at the end.
fn leaves(tree: &UseTree, mut path: Vec<String>, take: &mut impl FnMut(Vec<String>)) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            leaves(&inner.tree, path, take);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, path.clone(), take)),
        UseTree::Name(name) => {
            path.extend(Some(name.ident.to_string()).filter(|name| name != "self"));
            take(path);
        }
        UseTree::Rename(name) => {
            path.extend(Some(name.ident.to_string()).filter(|name| name != "self"));
            take(path);
        }
        UseTree::Glob(_) => take(path),
    }
}

/// The paths of one file.
struct Paths {
    file: PathBuf,
    /// The module that is checked.
    module: Vec<String>,
    used: Vec<Used>,
}

impl Paths {
    fn take(&mut self, line: usize, path: &[String]) {
        let mut base = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            _ => return,
        };
        for name in path {
            match name.as_str() {
                "crate" | "self" => {}
                "super" => drop(base.pop()),
                _ => base.push(name.clone()),
            }
        }
        self.used.push(Used { file: self.file.clone(), line, by: self.module.clone(), what: base });
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            let line = item.span().start().line;
            leaves(&item.tree, Vec::new(), &mut |path| self.take(line, &path));
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.take(path.span().start().line, &names);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() && !is_test(&item.attrs) {
            self.module.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let cfg = attribute.path().is_ident("cfg").then(|| attribute.parse_args::<syn::Ident>());
        matches!(cfg, Some(Ok(name)) if name == "test")
    })
}
