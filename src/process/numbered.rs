//! Files with numbers, written as work goes on.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Creates a folder if it is missing, and finds out whether files can be written there.
///
/// # Errors
/// It cannot be created, or no file can be written there: the words of the system.
pub(crate) fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    fs::write(&probe, "")?;
    fs::remove_file(probe)
}

/// The files `name-0001.extension` and so on of a folder. They replace those of an earlier run.
pub(crate) struct NumberedFiles {
    folder: PathBuf,
    name: &'static str,
    extension: &'static str,
    /// How many there are so far.
    count: Cell<u32>,
}

impl NumberedFiles {
    /// Files in a folder that [`prepare`] has made.
    pub(crate) fn new(folder: &Path, name: &'static str, extension: &'static str) -> NumberedFiles {
        NumberedFiles { folder: folder.to_owned(), name, extension, count: Cell::new(0) }
    }

    /// The path of the next file.
    pub(crate) fn next(&self) -> PathBuf {
        self.count.set(self.count.get() + 1);
        self.folder.join(format!("{}-{:04}.{}", self.name, self.count.get(), self.extension))
    }
}

/// Writes a file. If that fails, the log says so, and nothing else depends on it.
pub(crate) fn write(path: &Path, text: &str) {
    if let Err(why) = fs::write(path, text) {
        log::error!("{} cannot be written: {why}", path.display());
    }
}
