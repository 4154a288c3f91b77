//! Extends smalti with domains from other crates.

use crate::analysis::AnalysisConfig;
use crate::cli;
use smalti_core::{MemoryDomain, NumericDomain};
use smalti_stack::{AnyNumeric, Registry, StackError};
use std::process::ExitCode;
use std::sync::Arc;

/// Adds domains to those of smalti, for the command line or for a program that calls smalti.
///
/// The name of a numeric domain is the last part of a stack's name; the name of a domain for arrays
/// comes before it:
///
/// ```
/// use smalti::Builder;
/// use smalti::analysis::analyse;
/// use smalti::lower::{LowerOptions, load_text};
/// use smalti::program::{ObligationKind, obligations};
/// use smalti::verdict::Verdict;
/// use smalti_octagon::OctagonDomain;
///
/// let text = "void __VERIFIER_assert(int); int main(void) { int x = 3; __VERIFIER_assert(x); }";
/// let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
/// let program = load_text("x.c", text, &options)?;
/// let assertions = obligations(&program, &[ObligationKind::Assertion]);
///
/// let config = Builder::new().numeric("mine", OctagonDomain).config("partition/mine")?;
/// let found = analyse(&program, &assertions, &config)?;
/// assert!(found.findings.values().all(|f| f.verdict == Verdict::Proved));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A program that is smalti with one more domain:
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     smalti::Builder::new().numeric("mine", smalti_octagon::OctagonDomain).main()
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    registry: Registry,
    /// The first domain that could not be added.
    refused: Option<StackError>,
}

impl Builder {
    /// Starts with the domains of smalti.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Adds a numeric domain ([`Registry::numeric`]). If the name is not allowed, the method that
    /// ends the chain returns the error.
    #[must_use]
    pub fn numeric<D>(self, name: &str, domain: D) -> Builder
    where
        D: NumericDomain + Clone + Send + Sync + 'static,
    {
        self.adding(|registry| registry.numeric(name, domain))
    }

    /// Adds a numeric domain that may be missing on a machine ([`Registry::numeric_from`]). If the
    /// name is not allowed, the method that ends the chain returns the error.
    #[must_use]
    pub fn numeric_from<D>(
        self,
        name: &str,
        about: &str,
        make: impl Fn() -> Result<D, String> + Send + Sync + 'static,
    ) -> Builder
    where
        D: NumericDomain + 'static,
    {
        self.adding(|registry| registry.numeric_from(name, about, make))
    }

    /// Adds a domain for arrays, which `over` puts on any numeric domain ([`Registry::array`]). If
    /// the name is not allowed, the method that ends the chain returns the error.
    #[must_use]
    pub fn array<D: MemoryDomain + 'static>(
        self,
        name: &str,
        over: impl Fn(AnyNumeric) -> D + Send + Sync + 'static,
    ) -> Builder {
        self.adding(|registry| registry.array(name, over))
    }

    fn adding(mut self, add: impl FnOnce(&mut Registry) -> Result<(), StackError>) -> Builder {
        let refused = add(&mut self.registry).err();
        self.refused = self.refused.or(refused);
        self
    }

    /// The domains of smalti and those that were added.
    ///
    /// # Errors
    /// A domain's name is not allowed.
    pub fn registry(self) -> Result<Registry, StackError> {
        match self.refused {
            None => Ok(self.registry),
            Some(why) => Err(why),
        }
    }

    /// An analysis with one stack. [`CheckConfig`](crate::stages::CheckConfig) takes it as well:
    /// the stages find the domains in it.
    ///
    /// # Errors
    /// A domain's name is not allowed, or there is no such stack.
    pub fn config(self, stack: &str) -> Result<AnalysisConfig, StackError> {
        let registry = self.registry()?;
        registry.open(stack)?;
        Ok(AnalysisConfig { stack: Some(stack.to_owned()), registry: Arc::new(registry), ..AnalysisConfig::default() })
    }

    /// Runs the command line program with the arguments of the process. A domain whose name is not
    /// allowed is an error of the command line.
    pub fn main(self) -> ExitCode {
        cli::main_with(self.registry())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_octagon::OctagonDomain;
    use smalti_stack::StackErrorKind;

    #[test]
    fn the_first_domain_that_is_refused_is_told() {
        let builder = Builder::new().numeric("a b", OctagonDomain).numeric("box", OctagonDomain);
        let error = builder.clone().registry().unwrap_err();
        assert_eq!(error.kind(), StackErrorKind::Name);
        assert!(error.to_string().contains("'a b'"), "{error}");
        assert_eq!(builder.config("octagon").unwrap_err(), error);
    }

    #[test]
    fn an_unknown_stack_is_told_with_the_names_that_were_added() {
        let error = Builder::new().numeric("mine", OctagonDomain).config("partition/mnie").unwrap_err();
        assert!(error.to_string().contains("did you mean partition/mine?"), "{error}");
    }
}
