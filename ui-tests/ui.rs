//! Programs that must not compile, and what the compiler shows. See `README.md`.

use std::{fs, io, path::Path};

#[test]
fn ui_fail() {
    write_skills(Path::new("fail/skills/files/generated")).unwrap();
    trybuild::TestCases::new().compile_fail("fail/**/*.rs");
}

/// Writes skills that do not belong into the repository: one with a file more than allowed, one with a byte more, and one
/// that is not UTF-8.
fn write_skills(folder: &Path) -> io::Result<()> {
    let write = |name: &str, description: &[u8]| {
        fs::create_dir_all(folder.join(name))?;
        let text = [b"---\nname: ", name.as_bytes(), b"\ndescription: ", description, b"\n---\n"].concat();
        fs::write(folder.join(name).join("SKILL.md"), text)
    };
    write("latin1", b"A skill \xe9.")?;
    write("many", b"A skill.")?;
    for number in 0..512 {
        fs::write(folder.join("many").join(format!("{number}.md")), "")?;
    }
    write("large", b"A skill.")?;
    let rest = (16 << 20) + 1 - fs::metadata(folder.join("large/SKILL.md"))?.len();
    fs::File::create(folder.join("large/data.bin"))?.set_len(rest)
}
