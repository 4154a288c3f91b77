//! The places where the libraries may be.

use std::env;
use std::path::{Path, PathBuf};

/// The environment variable that names APRON's folder.
pub(crate) const VARIABLE: &str = "APRON_DIR";

/// The folder that `scripts/setup` makes in a checkout.
const FETCHED: &str = ".tools/apron";

/// The folders of libraries under a prefix; the last two are those of an unpacked Debian package.
const FOLDERS: [&str; 4] = ["", "lib", "usr/lib", MULTIARCH];
const MULTIARCH: &str =
    if cfg!(target_arch = "aarch64") { "usr/lib/aarch64-linux-gnu" } else { "usr/lib/x86_64-linux-gnu" };

/// The prefixes to try, the first that has the library wins: `$APRON_DIR`, then `.tools/apron`
/// beside or above the running program, then the same above the current folder.
pub(crate) fn prefixes() -> Vec<PathBuf> {
    let above = |start: Option<PathBuf>| -> Vec<PathBuf> {
        start.iter().flat_map(|p| p.ancestors()).map(|folder| folder.join(FETCHED)).filter(|p| p.is_dir()).collect()
    };
    let mut all: Vec<PathBuf> =
        env::var_os(VARIABLE).filter(|v| !v.is_empty()).map(PathBuf::from).into_iter().collect();
    all.extend(above(env::current_exe().ok()));
    all.extend(above(env::current_dir().ok()));
    all
}

/// The file names of a library, the likeliest first.
pub(crate) fn file_names(library: &str, version: &str) -> Vec<String> {
    if cfg!(target_os = "macos") {
        vec![format!("lib{library}.dylib")]
    } else {
        vec![format!("lib{library}.so.{version}"), format!("lib{library}.so")]
    }
}

/// The file of a library in one of the folders under a prefix.
pub(crate) fn find(prefix: &Path, library: &str, version: &str) -> Option<PathBuf> {
    FOLDERS.iter().find_map(|folder| {
        file_names(library, version).iter().map(|name| prefix.join(folder).join(name)).find(|file| file.is_file())
    })
}
