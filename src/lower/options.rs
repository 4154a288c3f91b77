//! `getopt` of POSIX: the next option among the arguments of the program.

use super::builtins::Use;
use super::context::{Lowered, Lowerer, Symbol};
use crate::program::{
    BinaryOp, Contents, Expr, ExprKind, IntKind, Lvalue, Outside, StmtKind, Storage, Type, WrittenBytes,
};
use lang_c::ast::Expression;
use lang_c::span::{Node, Span};

/// The least and the greatest character, whether `char` has a sign or not.
const CHARACTERS: (i128, i128) = (-128, 255);

impl Lowerer<'_> {
    /// `getopt(argc, argv, options)`. `None` if it has other arguments.
    ///
    /// **Sound**: POSIX says that `optarg`, `optind` and `optopt` change, and the C library may put
    /// the elements of the array into another order. `optarg` leads into one of these texts; the
    /// end of a text is a text.
    pub(super) fn options(&mut self, list: &[Node<Expression>], usage: Use<'_>, span: Span) -> Lowered<Option<Expr>> {
        let [count, array, options] = list else { return Ok(None) };
        let (at, model) = (self.at(span), self.model());
        self.unsequenced_arguments(list)?;
        let (count, array) = (self.rvalue(count)?, self.rvalue(array)?);
        let (count, array) = (self.settle_now(count), self.settle(array));
        let Type::Int(kind) = count.ty else { return Ok(None) };
        self.effects(options)?;
        self.trust_pointers("getopt", list)?;
        let difference = model.difference_type();
        let size = Expr::int(i128::from(model.pointer_width() / 8), difference, at);
        let all = Expr::int(difference.max(model), difference, at);
        self.write_bytes(WrittenBytes { to: array.clone(), contents: Contents::Exchanged(size), count: all }, at);
        if let Some(argument) = self.library_variable("optarg", span) {
            // A variable of this call alone: others have other arrays.
            let text = self.temporary(argument.ty.clone(), at);
            if let (Some(v), ExprKind::Load(array)) = (text.as_var(), &array.kind)
                && let Some(array) = array.as_var()
            {
                self.program.outside.insert(v, Outside::TextOf(array));
            }
            self.emit(StmtKind::Havoc(text.clone()), at);
            self.emit(StmtKind::Assign(argument, Expr::load(text)), at);
        }
        if let Some(place) = self.library_variable("optopt", span) {
            self.emit(StmtKind::Havoc(place), at);
        }
        if let Some(place) = self.library_variable("optind", span)
            && place.ty == Type::INT
        {
            self.emit(StmtKind::Havoc(place.clone()), at);
            let (index, one) = (Expr::load(place), Expr::int(1, IntKind::Int, at));
            let least = self.arithmetic(BinaryOp::LessEqual, one, index.clone(), Type::INT);
            self.emit(StmtKind::Assume(least), at);
            let index = self.convert(index, &count.ty, span)?;
            let most = self.arithmetic(BinaryOp::LessEqual, index, count.clone(), Type::INT);
            let none = self.arithmetic(BinaryOp::Less, count.clone(), Expr::int(1, kind, at), Type::INT);
            let either = ExprKind::Or(Box::new(most), Box::new(none));
            self.emit(StmtKind::Assume(Expr::new(either, Type::INT, at)), at);
        }
        let value = self.any_value("getopt", usage, span)?;
        if let Type::Int(kind) = value.ty {
            self.assume_between(CHARACTERS.0, &value, CHARACTERS.1, kind);
        }
        Ok(Some(value))
    }

    /// A variable of the C library, if the program knows it.
    fn library_variable(&mut self, name: &str, span: Span) -> Option<Lvalue> {
        let Some(Symbol::Variable(v)) = self.lookup(name).or_else(|| self.linked.get(name)) else { return None };
        let v = *v;
        (self.program.variable(v).storage == Storage::Global).then(|| Lvalue::var(&self.program, v, self.at(span)))
    }
}
