//! Paths from a variable, or another object, to a part of it.

use super::{Base, Expr, Length, Location, Lvalue, Member, Program, Step, StructType, Type, VarId};

/// A variable, or a part of it that is found without pointers.
///
/// `I` is what the path keeps of an index: a number, or nothing (`()`) if it means any element.
/// The paths into one variable are ordered by the parts that they lead to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessPath<I = ()> {
    /// The variable.
    pub variable: VarId,
    /// The steps from there.
    pub path: Vec<Step<I>>,
}

/// What one step of a path leads to.
#[derive(Clone, Copy, Debug)]
pub enum Entered<'p, 's, I> {
    /// A member of a struct or union.
    Member(&'p StructType, &'p Member),
    /// An element of an array: what the path keeps of the index, the length of the array, and the
    /// type of the element.
    Element(&'s I, Length, &'p Type),
}

impl<'p, I> Entered<'p, '_, I> {
    /// The type after the step.
    pub fn ty(&self) -> &'p Type {
        match *self {
            Entered::Member(_, member) => &member.ty,
            Entered::Element(_, _, ty) => ty,
        }
    }
}

impl<I> AccessPath<I> {
    /// The path to a whole variable.
    pub fn whole(variable: VarId) -> AccessPath<I> {
        AccessPath { variable, path: Vec::new() }
    }

    /// The path of an lvalue, with what `index` keeps of each index. `None` if a pointer is
    /// followed, or nothing is kept of some index.
    pub fn of(l: &Lvalue, index: impl FnMut(&Expr) -> Option<I>) -> Option<AccessPath<I>> {
        let Base::Var(variable) = l.base else { return None };
        Some(AccessPath { variable, path: l.steps(index)? })
    }

    /// The type of the part; `None` if the variable has no such part.
    pub fn type_at<'p>(&self, program: &'p Program) -> Option<&'p Type> {
        program.type_at(&program.variable(self.variable).ty, &self.path)
    }

    /// What each step leads to, as [`Program::entered`].
    pub fn entered<'p, 's>(&'s self, program: &'p Program) -> impl Iterator<Item = Option<Entered<'p, 's, I>>> {
        program.entered(&program.variable(self.variable).ty, &self.path)
    }

    /// The part as an lvalue; `None` if the variable has no such part.
    pub fn lvalue(&self, program: &Program, at: Location, index: impl FnMut(&I) -> Expr) -> Option<Lvalue> {
        Lvalue::var(program, self.variable, at).part(program, &self.path, index)
    }
}

impl AccessPath {
    /// The path of an lvalue, in which an index means any element. `None` if a pointer is followed.
    pub fn to_any(l: &Lvalue) -> Option<AccessPath> {
        Some(AccessPath { variable: l.as_base()?, path: l.any_steps().collect() })
    }
}

impl<I> Step<I> {
    /// Whether it leads to an element of an array.
    pub fn is_index(&self) -> bool {
        matches!(self, Step::Index(_))
    }

    /// The step with another value for its index.
    pub fn map<J>(&self, index: impl FnOnce(&I) -> J) -> Step<J> {
        match self {
            Step::Field(id, n) => Step::Field(*id, *n),
            Step::Index(i) => Step::Index(index(i)),
        }
    }

    /// The step with what `index` keeps of its index.
    pub fn keeping<J>(&self, index: impl FnOnce(&I) -> Option<J>) -> Option<Step<J>> {
        Some(match self {
            Step::Field(id, n) => Step::Field(*id, *n),
            Step::Index(i) => Step::Index(index(i)?),
        })
    }
}

impl Step<u64> {
    /// The number of the member or of the element.
    pub fn number(&self) -> u64 {
        match *self {
            Step::Field(_, n) => n.into(),
            Step::Index(n) => n,
        }
    }
}

impl Lvalue {
    /// The steps of the path, with what `index` keeps of each index. `None` if nothing is kept of
    /// some index.
    pub fn steps<I>(&self, mut index: impl FnMut(&Expr) -> Option<I>) -> Option<Vec<Step<I>>> {
        self.path.iter().map(|s| s.keeping(&mut index)).collect()
    }

    /// The steps of the path, in which an index means any element.
    pub fn any_steps(&self) -> impl Iterator<Item = Step<()>> {
        self.path.iter().map(|s| s.map(|_| ()))
    }

    /// A part of this object; `None` if it has no such part.
    #[must_use]
    pub fn part<I>(mut self, program: &Program, path: &[Step<I>], mut index: impl FnMut(&I) -> Expr) -> Option<Lvalue> {
        self.ty = program.type_at(&self.ty, path)?.clone();
        self.path.extend(path.iter().map(|s| s.map(&mut index)));
        Some(self)
    }
}

impl Program {
    /// What each step of a path leads to, in an object of type `root`. A step that does not fit the
    /// type before it gives `None`, and ends the walk.
    pub fn entered<'p, 's, I>(
        &'p self,
        root: &'p Type,
        path: &'s [Step<I>],
    ) -> impl Iterator<Item = Option<Entered<'p, 's, I>>> {
        let mut ty = Some(root);
        path.iter().map_while(move |step| {
            let entered = match (step, ty?) {
                (Step::Field(wanted, n), Type::Struct(id)) if wanted == id => {
                    let structure = self.structure(*id);
                    structure.members.get(*n as usize).map(|member| Entered::Member(structure, member))
                }
                (Step::Index(index), Type::Array(element, length)) => Some(Entered::Element(index, *length, element)),
                _ => None,
            };
            ty = entered.as_ref().map(Entered::ty);
            Some(entered)
        })
    }

    /// The type at the end of a path in an object of type `root`; `None` if the path does not fit
    /// the type.
    pub fn type_at<'p, I>(&'p self, root: &'p Type, path: &[Step<I>]) -> Option<&'p Type> {
        self.entered(root, path).try_fold(root, |_, entered| Some(entered?.ty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::testing::{AT, build, n};
    use crate::program::{FileId, IntKind, Origin, Packing, StructId, print};

    /// `struct s { int x; long cells[4]; } v[3];`
    fn program() -> (Program, VarId) {
        let array = |ty: Type, n| Type::Array(Box::new(ty), Length::Constant(n));
        let member =
            |name: &str, ty| Member { name: name.into(), origin: Origin::Source, ty, bits: None, constant: false };
        let mut b = build();
        b.program.structs.push(StructType {
            name: "s".into(),
            is_union: false,
            packing: Packing::Natural,
            is_argument_list: false,
            members: vec![member("x", Type::INT), member("cells", array(Type::Int(IntKind::Long), 4))],
            location: Location { file: FileId(0), line: 1, column: 1 },
        });
        let v = b.var("v", array(Type::Struct(StructId(0)), 3), crate::program::Storage::Local);
        (b.program, v)
    }

    #[test]
    fn lvalues_and_paths_are_turned_into_each_other() {
        let (program, v) = program();
        let path = vec![Step::Index(2u64), Step::Field(StructId(0), 1), Step::Index(3)];
        let path = AccessPath { variable: v, path };
        let number = |i: &u64| n(i128::from(*i));
        let l = path.lvalue(&program, AT, number).unwrap();
        assert_eq!((&l.ty, path.type_at(&program)), (&Type::Int(IntKind::Long), Some(&l.ty)));
        let back = AccessPath::of(&l, |e| u64::try_from(e.as_int()?).ok());
        assert_eq!(back.as_ref(), Some(&path));
        assert_eq!(AccessPath::of(&l, |_| None::<u64>), None);
        assert_eq!(print::path(&program, &path, |i| i.to_string()), "v[2].cells[3]");
        let any = AccessPath::to_any(&l).unwrap();
        assert_eq!(any.path, [Step::Index(()), Step::Field(StructId(0), 1), Step::Index(())]);
        assert_eq!(print::path(&program, &any, |()| String::new()), "v[].cells[]");
    }

    #[test]
    fn a_path_that_does_not_fit_has_no_type() {
        let (program, v) = program();
        let type_at = |path: Vec<Step<()>>| AccessPath { variable: v, path }.type_at(&program).cloned();
        assert_eq!(type_at(vec![Step::Index(())]), Some(Type::Struct(StructId(0))));
        for path in [
            vec![Step::Field(StructId(0), 0)],
            vec![Step::Index(()), Step::Index(())],
            vec![Step::Index(()), Step::Field(StructId(0), 2)],
            vec![Step::Index(()), Step::Field(StructId(0), 0), Step::Index(())],
        ] {
            assert_eq!(type_at(path), None);
        }
        let path = AccessPath { variable: v, path: vec![Step::Field(StructId(0), 0), Step::Index(())] };
        assert_eq!(path.entered(&program).map(|e| e.is_some()).collect::<Vec<_>>(), [false]);
        assert!(path.lvalue(&program, AT, |()| n(0)).is_none());
    }

    #[test]
    fn the_members_and_lengths_on_the_way_are_seen() {
        let (program, v) = program();
        let path = AccessPath { variable: v, path: vec![Step::Index(1), Step::Field(StructId(0), 1), Step::Index(7)] };
        let seen: Vec<String> = path
            .entered(&program)
            .map(|e| match e.unwrap() {
                Entered::Member(structure, member) => format!("{}.{}", structure.name, member.name),
                Entered::Element(index, length, _) => format!("{index} of {length:?}"),
            })
            .collect();
        assert_eq!(seen, ["1 of Constant(3)", "s.cells", "7 of Constant(4)"]);
    }
}
