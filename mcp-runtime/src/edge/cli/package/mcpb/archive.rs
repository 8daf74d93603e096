//! The ZIP archive of a bundle.

use std::{
    fs::File,
    io::{self, Cursor, Write as _},
};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::platform::BundledProgram;

/// Returns the archive with these files, and with the programs, which can be executed once they are unpacked. The same
/// content gives the same bytes.
///
/// # Errors
/// If a program cannot be read.
pub(super) fn archive<'f>(
    files: impl Iterator<Item = (&'f str, &'f [u8])>,
    programs: &[BundledProgram],
) -> Result<Vec<u8>, String> {
    let written = |error: io::Error| format!("the archive cannot be written: {error}");
    // The time of each file is that of the first archives, 1980.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (inside, bytes) in files {
        archive.start_file(inside, options.unix_permissions(0o644)).map_err(|error| written(error.into()))?;
        archive.write_all(bytes).map_err(written)?;
    }
    for program in programs {
        let options = options.unix_permissions(0o755).large_file(false);
        archive.start_file(&*program.inside, options).map_err(|error| written(error.into()))?;
        let shown = program.path.display();
        let read = File::open(&program.path).and_then(|mut file| io::copy(&mut file, &mut archive));
        read.map_err(|error| format!("the program `{shown}` cannot be read: {error}"))?;
    }
    archive.finish().map(Cursor::into_inner).map_err(|error| written(error.into()))
}
