//! The current directory as the client's root.

use std::{env, path::Path};

use serde_json::Value;

use crate::{
    serve::resource::uri::{encoded, is_unreserved},
    wire::protocol::json::object,
};

/// Returns the result of `roots/list`. The only root is the directory in which this program was started.
pub(crate) fn roots() -> Value {
    let folder = env::current_dir().ok();
    let root = folder.as_deref().map(|folder| {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        object([("uri", file_uri(folder).into()), ("name", name.into())])
    });
    object([("roots", Vec::from_iter(root).into())])
}

fn file_uri(path: &Path) -> String {
    let path = path.to_string_lossy();
    // On Windows, `C:\\a` becomes `file:///C:/a`.
    let path = if cfg!(windows) { format!("/{}", path.replace('\\', "/")) } else { path.into_owned() };
    format!("file://{}", encoded(&path, |char| is_unreserved(char) || "/:".contains(char)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn encodes_any_folder_name_in_the_uri() {
        assert_eq!(file_uri(Path::new("/a b/50%#é")), "file:///a%20b/50%25%23%C3%A9");
    }

    #[cfg(windows)]
    #[test]
    fn the_uri_contains_the_drive() {
        assert_eq!(file_uri(Path::new("C:\\a b")), "file:///C:/a%20b");
    }
}
