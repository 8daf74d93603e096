//! The languages that `outline` supports, and the patterns of their definitions.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::Serialize;

/// What an item of an outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Class,
    Constant,
    Enum,
    Function,
    Impl,
    Interface,
    Macro,
    Method,
    Module,
    Struct,
    Trait,
    Type,
    Union,
}

impl Kind {
    /// Whether a function inside such an item is a method.
    pub(crate) fn has_methods(self) -> bool {
        matches!(self, Self::Class | Self::Impl | Self::Interface | Self::Trait)
    }
}

/// A language, recognized by the extension of a file.
pub(crate) struct Language {
    pub(crate) name: &'static str,
    extensions: &'static [&'static str],
    patterns: Vec<(Kind, Regex)>,
}

impl Language {
    /// Returns the language of a file with this name.
    pub(crate) fn of(file: &str) -> Option<&'static Self> {
        let (_, extension) = file.rsplit_once('.')?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
    }

    /// Returns all languages, as an error lists them.
    pub(crate) fn known() -> String {
        let each = |language: &Self| format!("{} .{}", language.name, language.extensions.join(" ."));
        LANGUAGES.iter().map(each).collect::<Vec<_>>().join(", ")
    }

    /// Returns the item that begins on this line.
    pub(crate) fn item<'a>(&self, line: &'a str) -> Option<(Kind, &'a str)> {
        /// Keywords that are followed by parentheses and a brace, as the name of a method is.
        const NO_NAMES: [&str; 7] = ["if", "else", "for", "while", "switch", "catch", "return"];

        let item = |(kind, pattern): &(Kind, Regex)| Some((*kind, pattern.captures(line)?.get(1)?.as_str()));
        self.patterns.iter().find_map(item).filter(|(_, name)| !NO_NAMES.contains(name))
    }

    /// Each pattern matches from the start of a line and captures the name. The first pattern that matches is used.
    fn new(name: &'static str, extensions: &'static [&'static str], patterns: &[(Kind, &str)]) -> Self {
        let compile = |(kind, pattern): &(Kind, &str)| {
            (*kind, Regex::new(&format!("^{pattern}")).expect("every pattern is used by a test"))
        };
        Self { name, extensions, patterns: patterns.iter().map(compile).collect() }
    }
}

static LANGUAGES: LazyLock<[Language; 5]> = LazyLock::new(|| [rust(), python(), typescript(), go(), c()]);

fn rust() -> Language {
    const VISIBLE: &str = r"\s*(?:pub(?:\([^)]*\))?\s+)?";
    let item = |keyword: &str| format!(r"{VISIBLE}(?:unsafe\s+|auto\s+)*{keyword}\s+(\w+)");
    Language::new(
        "Rust",
        &["rs"],
        &[
            (
                Kind::Function,
                &format!(r#"{VISIBLE}(?:(?:default|const|async|unsafe|extern|"\w+")\s+)*fn\s+((?:r#)?\w+)"#),
            ),
            (Kind::Struct, &item("struct")),
            (Kind::Enum, &item("enum")),
            (Kind::Union, &item("union")),
            (Kind::Trait, &item("trait")),
            (Kind::Module, &item("mod")),
            (Kind::Type, &item("type")),
            (Kind::Constant, &item("(?:const|static(?:\\s+mut)?)")),
            (Kind::Macro, r"\s*macro_rules!\s+(\w+)"),
            (Kind::Impl, r"\s*(?:unsafe\s+)?impl\b\s*(\S.*?)\s*(?:\bwhere\b.*)?(?:\{.*)?$"),
        ],
    )
}

fn python() -> Language {
    Language::new(
        "Python",
        &["py", "pyi"],
        &[
            (Kind::Class, r"\s*class\s+(\w+)"),
            (Kind::Function, r"\s*(?:async\s+)?def\s+(\w+)"),
            (Kind::Constant, r"([A-Z][A-Z0-9_]*)\s*(?::[^=]+)?=[^=]"),
        ],
    )
}

fn typescript() -> Language {
    const EXPORT: &str = r"\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?";
    const METHOD: &str = r"\s+(?:(?:public|protected|private|static|override|async|get|set|\*)\s+)*#?";
    const PARAMETERS: &str = r"(?:<[^>]*>)?\((?:[^;()]|\([^()]*\))*\)";
    let function = format!(r"(?:function\b|{PARAMETERS}[^;]*=>|[\w$]+\s*=>)");
    Language::new(
        "TypeScript or JavaScript",
        &["ts", "tsx", "mts", "js", "jsx", "mjs"],
        &[
            (Kind::Class, &format!(r"{EXPORT}(?:abstract\s+)?class\s+([\w$]+)")),
            (Kind::Interface, &format!(r"{EXPORT}interface\s+([\w$]+)")),
            (Kind::Enum, &format!(r"{EXPORT}(?:const\s+)?enum\s+([\w$]+)")),
            (Kind::Module, &format!(r"{EXPORT}(?:namespace|module)\s+([\w$.]+)")),
            (Kind::Type, &format!(r"{EXPORT}type\s+([\w$]+)\s*(?:<.*>)?\s*=")),
            (Kind::Function, &format!(r"{EXPORT}(?:async\s+)?function\s*\*?\s*([\w$]+)")),
            (Kind::Function, &format!(r"{EXPORT}(?:const|let|var)\s+([\w$]+)[^=]*=\s*(?:async\s*)?{function}")),
            (Kind::Method, &format!(r"{METHOD}([\w$]+)\s*{PARAMETERS}\s*(?::[^;=]+)?\{{\s*\}}?$")),
        ],
    )
}

fn go() -> Language {
    Language::new(
        "Go",
        &["go"],
        &[
            (Kind::Method, r"func\s+\([^)]*\)\s*(\w+)"),
            (Kind::Function, r"func\s+(\w+)"),
            (Kind::Struct, r"type\s+(\w+)(?:\[[^\]]*\])?\s+struct\b"),
            (Kind::Interface, r"type\s+(\w+)(?:\[[^\]]*\])?\s+interface\b"),
            (Kind::Type, r"type\s+(\w+)"),
            (Kind::Constant, r"const\s+(\w+)"),
        ],
    )
}

fn c() -> Language {
    Language::new(
        "C",
        &["c", "h"],
        &[
            (Kind::Macro, r"#\s*define\s+(\w+)"),
            (Kind::Struct, r"(?:typedef\s+)?struct\s+(\w+)\s*\{"),
            (Kind::Union, r"(?:typedef\s+)?union\s+(\w+)\s*\{"),
            (Kind::Enum, r"(?:typedef\s+)?enum\s+(\w+)\s*\{"),
            (Kind::Type, r"typedef\b.*\(\*(\w+)\)"),
            (Kind::Type, r"typedef\b.*?(\w+)\s*;"),
            (Kind::Function, r"[A-Za-z_][\w\s*]*?[\s*](\w+)\s*\([^;]*$"),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(file: &str, line: &str) -> Option<String> {
        let (kind, name) = Language::of(file).unwrap().item(line)?;
        Some(format!("{kind:?} {name}"))
    }

    /// Each line with its expected item: a kind and a name, or an empty text.
    fn check(file: &str, lines: &[(&str, &str)]) {
        for (line, expected) in lines {
            assert_eq!(item(file, line).unwrap_or_default(), *expected, "{line}");
        }
    }

    #[test]
    fn rust() {
        check(
            "a.rs",
            &[
                ("fn plain() {}", "Function plain"),
                ("    pub(crate) const async unsafe fn many<T>(", "Function many"),
                (r#"extern "C" fn called_from_c()"#, "Function called_from_c"),
                ("fn r#match()", "Function r#match"),
                ("pub struct Point(f32, f32);", "Struct Point"),
                ("enum Never {}", "Enum Never"),
                ("union Bits {", "Union Bits"),
                ("pub unsafe auto trait Marker {}", "Trait Marker"),
                ("mod tests {", "Module tests"),
                ("    type Error = io::Error;", "Type Error"),
                ("const WIDTH: usize = 400;", "Constant WIDTH"),
                ("static mut COUNT: u8 = 0;", "Constant COUNT"),
                ("macro_rules! check {", "Macro check"),
                ("impl<T> From<T> for Any<T> where T: Send {", "Impl <T> From<T> for Any<T>"),
                ("unsafe impl Send for Any {}", "Impl Send for Any"),
                ("// fn commented() {}", ""),
                ("    let fn_name = implement();", ""),
            ],
        );
    }

    #[test]
    fn python() {
        check(
            "a.pyi",
            &[
                ("class Report(Base):", "Class Report"),
                ("def main() -> None:", "Function main"),
                ("async def fetch(url):", "Function fetch"),
                ("    async def send(self):", "Function send"),
                ("RETRIES: int = 3", "Constant RETRIES"),
                ("RETRIES == 3", ""),
                ("    undefined = 1", ""),
            ],
        );
    }

    #[test]
    fn typescript() {
        check(
            "a.tsx",
            &[
                ("export default abstract class Chart<T> {", "Class Chart"),
                ("interface $Point {", "Interface $Point"),
                ("declare namespace Charts.Old {", "Module Charts.Old"),
                ("export const enum Unit {", "Enum Unit"),
                ("export type Pair<T> = [T, T];", "Type Pair"),
                ("export async function* read() {", "Function read"),
                ("const convert = async (value: number): Promise<number> => {", "Function convert"),
                ("const twice = (next: () => void) => next();", "Function twice"),
                ("let half = value => value / 2;", "Function half"),
                ("const size = (4 + 4) * 2;", ""),
                ("  constructor(private readonly unit: Unit) {}", "Method constructor"),
                ("  static async #load<T>(next: (t: T) => void): Promise<T> {", "Method load"),
                ("  if (this.isEmpty()) {", ""),
                ("  it(\"draws\", () => {", ""),
                ("  this.draw();", ""),
            ],
        );
    }

    #[test]
    fn go() {
        check(
            "a.go",
            &[
                ("func main() {", "Function main"),
                ("func (c *Client) Send(r Reading) error {", "Method Send"),
                ("type Set[T comparable] struct {", "Struct Set"),
                ("type Sender interface {", "Interface Sender"),
                ("type Celsius float32", "Type Celsius"),
                ("const retries = 3", "Constant retries"),
                ("\tfunction()", ""),
            ],
        );
    }

    #[test]
    fn c() {
        check(
            "a.h",
            &[
                ("#define KELVIN(c) ((c) + 273)", "Macro KELVIN"),
                ("typedef struct probe {", "Struct probe"),
                ("union bits {", "Union bits"),
                ("enum state { IDLE, BUSY };", "Enum state"),
                ("typedef float (*reader)(int);", "Type reader"),
                ("typedef unsigned long size;", "Type size"),
                ("static const char *name_of(enum state state)", "Function name_of"),
                ("int main(void) {", "Function main"),
                ("int declared(void);", ""),
                ("    if (x) {", ""),
                ("else if (x) {", ""),
            ],
        );
    }

    #[test]
    fn the_extension_tells_the_language() {
        assert_eq!(Language::of("src/lib.rs").unwrap().name, "Rust");
        for file in ["README.md", "Makefile", "rs", ""] {
            assert!(Language::of(file).is_none(), "{file}");
        }
        assert!(Language::known().starts_with("Rust .rs, Python .py .pyi, TypeScript or JavaScript .ts .tsx"));
    }
}
