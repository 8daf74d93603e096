//! Writes the Rust of README.md to files: the first block, the first two, and so on.

use std::{env, fs, path::Path};

const README: &str = "../../README.md";

fn main() {
    println!("cargo::rerun-if-changed={README}");
    let readme = fs::read_to_string(README).unwrap();
    let folder = env::var_os("OUT_DIR").unwrap();
    let mut pasted = String::new();
    let mut modules = String::new();
    let blocks = readme.split("```rust\n").skip(1).map(|block| block.split_once("```").unwrap().0);
    for (number, block) in blocks.enumerate() {
        pasted.push_str(block);
        pasted.push('\n');
        let file = Path::new(&folder).join(format!("{number}.rs"));
        fs::write(&file, &pasted).unwrap();
        modules.push_str(&format!("pub mod after_{number} {{ include!({file:?}); }}\n"));
    }
    fs::write(Path::new(&folder).join("modules.rs"), modules).unwrap();
}
