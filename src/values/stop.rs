//! Why an execution does not go on.

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// No run goes on after this.
    Unreached,
    /// The program does what is not modelled.
    GivenUp(&'static str),
    /// There are too many ways to come to functions for calls to be executed on their own.
    ManyWays,
    /// There is no time left.
    OutOfTime,
}

/// A value, if there is one.
pub(super) type Evaluated<T> = Result<T, Stop>;

/// A value, or none if no run comes to evaluate it: other runs may go on.
pub(super) fn if_reached<T>(evaluated: Evaluated<T>) -> Evaluated<Option<T>> {
    match evaluated {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Unreached) => Ok(None),
        Err(stop) => Err(stop),
    }
}
