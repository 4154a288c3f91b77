//! Shell completions and manual pages. Both are generated from the parser of the command line.

use super::stop::Stop;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command};
use clap_complete::Shell;
use clap_mangen::Man as Page;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(super) shell: Shell,
}

/// Arguments of `man`.
#[derive(Args, Debug)]
pub(super) struct Man {
    /// A folder in which to write a page for the program and one for each verb, rather than one
    /// page with everything.
    #[arg(long, value_name = "DIR")]
    pub(super) out_dir: Option<PathBuf>,
}

/// The script for a shell.
pub(super) fn completions(arguments: &Completions, mut command: Command) -> String {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The part of a command line that another verb accepts, too: files, then options, quoted for a
/// shell.
pub(super) fn given_for(command: &Command, verb: &str, given: &ArgMatches) -> String {
    let known = command.find_subcommand(verb).map(Command::get_arguments).into_iter().flatten();
    let is_given = |arg: &&Arg| {
        let id = arg.get_id();
        given.ids().any(|i| i == id) && given.value_source(id.as_str()) == Some(ValueSource::CommandLine)
    };
    let (files, options): (Vec<&Arg>, Vec<&Arg>) = known.filter(is_given).partition(|arg| arg.is_positional());
    let mut words: Vec<String> = Vec::new();
    for arg in files.into_iter().chain(options) {
        let values =
            given.get_raw(arg.get_id().as_str()).into_iter().flatten().map(|v| v.to_string_lossy().into_owned());
        let flag = match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => {
                words.extend(values);
                continue;
            }
        };
        match (arg.get_action(), arg.get_value_delimiter()) {
            (ArgAction::SetTrue, _) => words.push(flag),
            (_, Some(delimiter)) => words.extend([flag, values.collect::<Vec<_>>().join(&delimiter.to_string())]),
            (_, None) => words.extend(values.flat_map(|value| [flag.clone(), value])),
        }
    }
    // Only a zero byte cannot be quoted, and no argument of a process contains one.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// The whole manual page. With a folder, the names of the pages that were written into it.
pub(super) fn man(arguments: &Man, mut command: Command) -> Result<String, Stop> {
    // Long names of verbs and the global options exist only after this call.
    command.build();
    let Some(folder) = &arguments.out_dir else {
        return whole(&command).map_err(Stop::Output);
    };
    std::fs::create_dir_all(folder).map_err(Stop::Output)?;
    let mut written = String::new();
    for one in std::iter::once(&command).chain(verbs(&command)) {
        let name = name(one);
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        Page::new(one.clone())
            .source(SOURCE)
            .render(&mut page)
            .and_then(|()| std::fs::write(&path, page))
            .map_err(Stop::Output)?;
        written += &format!("{}\n", path.display());
    }
    Ok(written)
}

/// The text at the foot of a page.
const SOURCE: &str = concat!("smalti ", env!("CARGO_PKG_VERSION"));

/// The verbs of smalti.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|c| c.get_name() != "help")
}

/// The name of a page: `smalti-check`.
fn name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

/// One page: the program, then a section for each verb.
fn whole(command: &Command) -> std::io::Result<String> {
    let page = Page::new(command.clone());
    let mut out = Vec::new();
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    page.render_options_section(&mut out)?;
    let mut text = String::from_utf8_lossy(&out).into_owned();
    for verb in verbs(command) {
        let page = Page::new(verb.clone());
        let mut out = Vec::new();
        page.render_synopsis_section(&mut out)?;
        page.render_description_section(&mut out)?;
        page.render_options_section(&mut out)?;
        text += &format!(".SH {}\n", verb.get_name().to_uppercase());
        // A section of the page of a verb becomes a subsection here.
        for line in String::from_utf8_lossy(&out).lines().filter(|l| !l.starts_with(".ie ") && !l.starts_with(".el ")) {
            match line.strip_prefix(".SH ") {
                Some(heading) => text += &format!(".SS {heading}\n"),
                None => text += &format!("{line}\n"),
            }
        }
    }
    let mut out = Vec::new();
    page.render_extra_section(&mut out)?;
    page.render_version_section(&mut out)?;
    Ok(text + &String::from_utf8_lossy(&out))
}
