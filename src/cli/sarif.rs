//! The facts about the run and its folders that a SARIF document contains.

use super::limits::Deadline;
use crate::report::Invocation;
use crate::verdict::Report;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The run that ends now with this exit status.
pub(super) fn invocation(report: &Report, deadline: Deadline, exit_code: u8) -> Invocation {
    let end = Timestamp::now();
    let start = end.checked_sub(deadline.start.elapsed()).unwrap_or(end);
    // Consumers expect milliseconds.
    let text = |t: Timestamp| t.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string();
    Invocation {
        arguments: std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect(),
        exit_code,
        start: text(start),
        end: text(end),
        relative: relative(report),
    }
}

/// The paths of files, relative to the root of the repository that contains the working folder, or
/// else to the working folder. Files elsewhere get their absolute path.
fn relative(report: &Report) -> BTreeMap<String, String> {
    let Ok(here) = std::env::current_dir() else { return BTreeMap::new() };
    let root = here.ancestors().find(|a| a.join(".git").exists()).unwrap_or(&here);
    let names = report.files.iter().chain(report.sources.files.iter().map(|f| &f.name));
    let below = |name: &String| {
        let path = plain(&here.join(name));
        let path = path.strip_prefix(root).unwrap_or(&path).to_str()?;
        Some((name.clone(), path.to_owned()))
    };
    names.filter_map(below).collect()
}

/// The path without `.` and `..`. Links are not resolved, because the repository uses the
/// unresolved names, too.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = out.pop(),
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_plain() {
        assert_eq!(plain(Path::new("/a/./b/../c.c")), Path::new("/a/c.c"));
    }
}
