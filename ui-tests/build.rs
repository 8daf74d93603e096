//! Makes each program of `pass/` a module of one test, so that all are compiled and linked once. What follows `crate` in a
//! path of the program is below its module then.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo::rerun-if-changed=pass");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let mut modules = String::new();
    for folder in entries(Path::new("pass")) {
        let macro_name = name(&folder);
        modules.push_str(&format!("pub mod {macro_name} {{\n"));
        fs::create_dir_all(out.join(&folder)).unwrap();
        for file in entries(&folder) {
            let mut text = fs::read_to_string(&file).unwrap();
            let copy = out.join(&file);
            if file.extension().is_some_and(|extension| extension == "rs") {
                let program = name(&file);
                text = text.replace("crate::", &format!("crate::{macro_name}::{program}::"));
                text.push_str("\n#[test]\nfn compiles_and_runs() {\n    main();\n}\n");
                modules.push_str(&format!("    #[path = {copy:?}]\n    pub mod {program};\n"));
            }
            fs::write(copy, text).unwrap();
        }
        modules.push_str("}\n");
    }
    fs::write(out.join("pass.rs"), modules).unwrap();
}

/// Returns the paths in a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}
