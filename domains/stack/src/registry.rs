//! The domains that stacks are made of, by name.

use crate::error::{StackError, StackErrorKind, nearest};
use crate::parts::{self, Layers, NumericPart, OWN, Own};
use crate::{AnyDomain, AnyNumeric};
use smalti_core::{MemoryDomain, NumericDomain};
use std::fmt;
use std::sync::Arc;

/// The stacks to try one after the other when none is named, from cheap to dear. The first one
/// decides most obligations of most programs in a hundredth of the time of the second; the third
/// knows linear relations of more than two variables.
const DEFAULTS: [&str; 3] = ["smash/octagon", DEFAULT_STACK, "partition/apron-polyhedra"];

/// The strongest of the default stacks that needs no library.
pub const DEFAULT_STACK: &str = "relation/partition/octagon";

/// The description of a domain from outside that has none.
const FROM_OUTSIDE: &str = "added by this program";

/// Layers that can be put on a numeric domain; the name of those that keep nothing of arrays is
/// empty.
#[derive(Clone)]
struct LayersPart {
    name: String,
    about: String,
    layers: Layers,
}

/// The domains that stacks are made of, by name: a value that is passed to the code that opens
/// stacks.
///
/// [`Registry::default`] has the domains of smalti. Others are added to it:
///
/// ```
/// use smalti_box::BoxDomain;
/// use smalti_smash::SmashDomain;
/// use smalti_stack::{AnyNumeric, Registry};
///
/// let mut registry = Registry::default();
/// registry.numeric("mine", BoxDomain)?;
/// registry.array("cells", |numeric: AnyNumeric| SmashDomain::new(numeric))?;
/// for stack in ["mine", "partition/mine", "cells/mine", "cells/octagon"] {
///     registry.open(stack)?;
/// }
/// # Ok::<(), smalti_stack::StackError>(())
/// ```
#[derive(Clone)]
pub struct Registry {
    numerics: Vec<NumericPart>,
    layers: Vec<LayersPart>,
}

impl Default for Registry {
    fn default() -> Self {
        let layers = OWN.iter().map(|(own, name, about)| LayersPart {
            name: String::from(*name),
            about: String::from(*about),
            layers: Layers::Own(*own),
        });
        Registry { numerics: parts::numerics(), layers: layers.collect() }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numerics: Vec<&str> = self.numerics.iter().map(|n| &*n.name).collect();
        let layers: Vec<&str> = self.layers.iter().map(|l| &*l.name).collect();
        f.debug_struct("Registry").field("numerics", &numerics).field("layers", &layers).finish()
    }
}

/// One part that stacks are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackInfo {
    /// The name in a stack.
    pub name: String,
    /// Which part of a stack it can be.
    pub part: StackPart,
    /// A short description.
    pub about: String,
    /// If it cannot be used on this machine: why, and how to get it.
    pub missing: Option<String>,
}

/// The two parts of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StackPart {
    /// A domain for arrays, on top of a numeric one.
    Layer,
    /// A numeric domain, at the bottom.
    Numeric,
}

impl Registry {
    /// Adds a numeric domain. Every domain for arrays can be put on it, and knows its type: it is
    /// as fast there as the domains of smalti.
    ///
    /// # Errors
    /// The name is taken, or cannot be the last part of the name of a stack.
    pub fn numeric<D>(&mut self, name: &str, domain: D) -> Result<(), StackError>
    where
        D: NumericDomain + Clone + Send + Sync + 'static,
    {
        self.add_numeric(name, FROM_OUTSIDE, true, move || Ok(domain.clone()))
    }

    /// Adds a numeric domain that may be missing on a machine, such as one that needs a library.
    /// `about` says in a few words what it is. `make` makes it, or says why it is missing and how
    /// to get it; it is called each time that a stack is opened.
    ///
    /// # Errors
    /// As [`Registry::numeric`].
    pub fn numeric_from<D>(
        &mut self,
        name: &str,
        about: &str,
        make: impl Fn() -> Result<D, String> + Send + Sync + 'static,
    ) -> Result<(), StackError>
    where
        D: NumericDomain + 'static,
    {
        self.add_numeric(name, about, false, make)
    }

    fn add_numeric<D: NumericDomain + 'static>(
        &mut self,
        name: &str,
        about: &str,
        native: bool,
        make: impl Fn() -> Result<D, String> + Send + Sync + 'static,
    ) -> Result<(), StackError> {
        if name.contains('/') {
            return Err(StackError::name(name, "it is the last part of a stack's name and has no `/`"));
        }
        check_name(name, self.numerics.iter().any(|n| n.name == name))?;
        let put = Arc::new(move |layers: &Layers| parts::put(layers, make()));
        self.numerics.push(NumericPart { name: name.into(), about: about.into(), native, put });
        Ok(())
    }

    /// Adds a domain for arrays: `over` puts it on any numeric domain. The name may have several
    /// parts, as `relation/partition` has.
    ///
    /// # Errors
    /// The name is taken, or cannot be the first part of the name of a stack.
    pub fn array<D: MemoryDomain + 'static>(
        &mut self,
        name: &str,
        over: impl Fn(AnyNumeric) -> D + Send + Sync + 'static,
    ) -> Result<(), StackError> {
        check_name(name, self.layers.iter().any(|l| l.name == name))?;
        let layers = Layers::Added(Arc::new(move |numeric| AnyDomain::new(over(numeric))));
        self.layers.push(LayersPart { name: name.into(), about: FROM_OUTSIDE.into(), layers });
        Ok(())
    }

    /// All parts, layers first, those that are missing on this machine included.
    pub fn available(&self) -> Vec<StackInfo> {
        let layers = self.layers.iter().filter(|layers| !layers.name.is_empty()).map(|layers| StackInfo {
            name: layers.name.clone(),
            part: StackPart::Layer,
            about: layers.about.clone(),
            missing: None,
        });
        let numerics = self.numerics.iter().map(|numeric| StackInfo {
            name: numeric.name.clone(),
            part: StackPart::Numeric,
            about: numeric.about.clone(),
            missing: (numeric.put)(&Layers::Own(Own::Scalars)).err(),
        });
        layers.chain(numerics).collect()
    }

    /// The names of all stacks, whether or not this machine has their numeric domain.
    pub fn stack_names(&self) -> Vec<String> {
        let join = |layers: &str, numeric: &str| match layers {
            "" => numeric.to_string(),
            _ => format!("{layers}/{numeric}"),
        };
        self.layers.iter().flat_map(|l| self.numerics.iter().map(move |n| join(&l.name, &n.name))).collect()
    }

    /// The numeric domain of a stack and its layers, as far as there are such.
    fn parts(&self, stack: &str) -> (Option<&NumericPart>, Option<&LayersPart>) {
        let (layers, numeric) = stack.rsplit_once('/').unwrap_or(("", stack));
        let layers = self.layers.iter().find(|l| l.name == layers && !stack.starts_with('/'));
        (self.numerics.iter().find(|n| n.name == numeric), layers)
    }

    /// The stack of a name.
    ///
    /// # Errors
    ///
    /// When a part of the name is unknown (the message lists what is there, and suggests the
    /// nearest name), or when its numeric domain is missing on this machine (the message says how
    /// to get it).
    pub fn open(&self, name: &str) -> Result<AnyDomain, StackError> {
        let (numeric, layers) = match self.parts(name) {
            (Some(numeric), Some(layers)) => (numeric, layers),
            (numeric, _) => return Err(self.unknown(name, numeric.is_some())),
        };
        let domain = (numeric.put)(&layers.layers);
        domain
            .map(|domain| domain.named(name))
            .map_err(|reason| StackError::new(StackErrorKind::Missing, format!("stack {name} is missing: {reason}")))
    }

    /// Why there is no stack of that name, whose numeric domain may be known.
    fn unknown(&self, name: &str, numeric_is_known: bool) -> StackError {
        let (layers, numeric) = name.rsplit_once('/').unwrap_or(("", name));
        let wrong = match numeric_is_known {
            false => format!("no numeric domain is called '{numeric}'"),
            true => format!("no layers are called '{layers}'"),
        };
        let names = self.stack_names();
        let nearest = nearest(name, names.iter().map(String::as_str));
        let suggestion = nearest.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        let numerics: Vec<&str> = self.numerics.iter().map(|n| &*n.name).collect();
        let layers: Vec<&str> = self.layers.iter().map(|l| &*l.name).filter(|name| !name.is_empty()).collect();
        let message = format!(
            "unknown stack '{name}': {wrong}{suggestion} (a stack is a numeric domain: {}; or layers/numeric, with layers: {})",
            numerics.join(", "),
            layers.join(", "),
        );
        StackError::new(StackErrorKind::Unknown, message)
    }

    /// Whether a stack needs no library that may be missing; `false` if its name is unknown.
    pub fn is_native(&self, name: &str) -> bool {
        self.parts(name).0.is_some_and(|numeric| numeric.native)
    }

    /// The number of stacks, of those tried one after the other, before the first that is not
    /// native; at least one, if there is any. They are fast enough to come before other engines.
    pub fn native_first<S: AsRef<str>>(&self, stacks: &[S]) -> usize {
        stacks.iter().take_while(|s| self.is_native(s.as_ref())).count().max(1).min(stacks.len())
    }

    /// The stacks to try one after the other, for what is still open, when none is named: those
    /// that are there. Never empty.
    pub fn default_stacks(&self) -> Vec<&'static str> {
        DEFAULTS.into_iter().filter(|name| self.open(name).is_ok()).collect()
    }
}

/// Whether a domain from outside can have that name.
fn check_name(name: &str, is_taken: bool) -> Result<(), StackError> {
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != ',');
    match name.split('/').all(is_word) {
        _ if is_taken => Err(StackError::name(name, "there is one already")),
        true => Ok(()),
        false => Err(StackError::name(name, "a name is a word without spaces and commas")),
    }
}

#[cfg(test)]
mod tests;
