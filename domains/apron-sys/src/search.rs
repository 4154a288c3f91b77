//! The places where the libraries may be.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The environment variable that names APRON's folder.
pub(crate) const VARIABLE: &str = "APRON_DIR";

/// The folder that `scripts/setup` makes in a checkout, and `smalti setup` in smalti's data folder.
const FETCHED: &str = ".tools/apron";

/// The folders of libraries under a prefix; the last two are those of an unpacked Debian package.
const FOLDERS: [&str; 4] = ["", "lib", "usr/lib", MULTIARCH];
const MULTIARCH: &str =
    if cfg!(target_arch = "aarch64") { "usr/lib/aarch64-linux-gnu" } else { "usr/lib/x86_64-linux-gnu" };

/// The folder of what smalti keeps for this user, such as the tools that `smalti setup` gets:
/// `smalti` in `$XDG_DATA_HOME`, which is by default `.local/share` in the home. As the XDG Base
/// Directory Specification asks, a variable that is not an absolute path counts as not set.
///
/// `variable` looks up a variable of the environment. Without a home there is no such folder.
pub fn data_folder(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("smalti"))
}

/// The prefixes to try, the first that has the library wins: `$APRON_DIR`, then `.tools/apron`
/// beside or above the running program, then the same above the current folder, then in smalti's
/// data folder.
pub(crate) fn prefixes() -> Vec<PathBuf> {
    let starts: Vec<PathBuf> = [env::current_exe(), env::current_dir()].into_iter().flatten().collect();
    prefixes_for(&|name| env::var_os(name), &starts)
}

fn prefixes_for(variable: &dyn Fn(&str) -> Option<OsString>, starts: &[PathBuf]) -> Vec<PathBuf> {
    let named = variable(VARIABLE).filter(|v| !v.is_empty()).map(PathBuf::from);
    let above = starts.iter().flat_map(|start| start.ancestors()).map(Path::to_owned);
    let fetched = above.chain(data_folder(variable)).map(|folder| folder.join(FETCHED)).filter(|p| p.is_dir());
    named.into_iter().chain(fetched).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn set<'a>(variables: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        |name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value))
    }

    #[test]
    fn the_data_folder_is_in_the_home_unless_a_variable_names_another() {
        let folder = |variables: &[(&str, &str)]| data_folder(&set(variables));
        let (at_home, elsewhere) = (PathBuf::from("/home/u/.local/share/smalti"), PathBuf::from("/data/smalti"));
        let home = ("HOME", "/home/u");
        assert_eq!(folder(&[home]), Some(at_home.clone()));
        assert_eq!(folder(&[home, ("XDG_DATA_HOME", "/data")]), Some(elsewhere.clone()));
        assert_eq!(folder(&[("XDG_DATA_HOME", "/data")]), Some(elsewhere));
        for relative in ["", "data", "./data"] {
            assert_eq!(folder(&[home, ("XDG_DATA_HOME", relative)]), Some(at_home.clone()), "{relative}");
            assert_eq!(folder(&[("HOME", relative)]), None, "{relative}");
        }
        assert_eq!(folder(&[]), None);
    }

    #[test]
    fn the_data_folder_is_the_last_prefix() {
        let root = env::temp_dir().join(format!("smalti-apron-prefixes-{}", std::process::id()));
        let at = |place: &str| root.join(place);
        let fetched = [at("checkout/.tools/apron"), at("data/smalti/.tools/apron")];
        fetched.iter().for_each(|folder| std::fs::create_dir_all(folder).unwrap());
        let (given, data) = (at("given").display().to_string(), at("data").display().to_string());
        let start = at("checkout/target/release/smalti");
        let found = prefixes_for(&set(&[(VARIABLE, &given), ("XDG_DATA_HOME", &data)]), &[start]);
        let [checkout, user] = fetched;
        assert_eq!(found, [at("given"), checkout, user]);
        std::fs::remove_dir_all(root).unwrap();
    }
}
