//! The ZIP archive of a bundle.

use std::{fs, io::Write as _};

use miniz_oxide::deflate::compress_to_vec;
use rawzip::{CompressionMethod, DataDescriptorOutput, ZipArchiveWriter, crc32};

use super::platform::BundledProgram;

/// The level of compression between 0 and 10 at which higher levels take much longer for little.
const LEVEL: u8 = 6;

/// A file that everybody can read, as Unix describes it.
const FILE: u32 = 0o100_644;

/// A program that everybody can start.
const PROGRAM: u32 = 0o100_755;

/// Returns the archive with these files, and with the programs, which can be started once they are unpacked. No file has a
/// time, so the same content gives the same bytes.
///
/// # Errors
/// If a program cannot be read.
pub(super) fn archive<'f>(
    files: impl Iterator<Item = (&'f str, &'f [u8])>,
    programs: &[BundledProgram],
) -> Result<Vec<u8>, String> {
    let mut archive = Archive(ZipArchiveWriter::new(Vec::new()));
    for (inside, bytes) in files {
        archive.add(inside, bytes, FILE)?;
    }
    for program in programs {
        let shown = program.path.display();
        let bytes = fs::read(&program.path);
        let bytes = bytes.map_err(|error| format!("the program `{shown}` cannot be read: {error}"))?;
        archive.add(&program.inside, &bytes, PROGRAM)?;
    }
    archive.0.finish().map_err(|error| unwritten(&error))
}

struct Archive(ZipArchiveWriter<Vec<u8>>);

impl Archive {
    fn add(&mut self, inside: &str, bytes: &[u8], mode: u32) -> Result<(), String> {
        let file = self.0.new_file(inside).compression_method(CompressionMethod::DEFLATE).unix_permissions(mode);
        let (mut entry, _) = file.start().map_err(|error| unwritten(&error))?;
        entry.write_all(&compress_to_vec(bytes, LEVEL)).map_err(|error| unwritten(&error))?;
        let content = DataDescriptorOutput::new(crc32(bytes), bytes.len() as u64);
        entry.finish(content).map_err(|error| unwritten(&error))?;
        Ok(())
    }
}

fn unwritten(error: &dyn std::error::Error) -> String {
    format!("the archive cannot be written: {error}")
}
