//! Expressions: typed, free of side effects.

use super::{DataModel, FunctionId, IntKind, Location, Program, StructId, Type, VarId};

/// A typed expression. Integer operands of one operation have the same type: conversions are
/// explicit [`ExprKind::Cast`]s.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; never an array or a function (those have decayed to pointers).
    pub ty: Type,
    /// Where the operator or operand stands in the source.
    pub location: Location,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer constant, in the range of its type. With a pointer type: the null pointer, value
    /// 0.
    Int(i128),
    /// A floating constant, as the source writes it.
    Float(String),
    /// The value of an object: a scalar, or a whole struct (only as the right side of an
    /// assignment, an argument or a returned value).
    Load(Lvalue),
    /// The address of an object. The address of an array's element 0 is how an array decays.
    AddressOf(Lvalue),
    /// The address of a function.
    FunctionAddress(FunctionId),
    /// `op a`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Conversion to the type of the expression.
    Cast(Box<Expr>),
    /// `a && b`: `b` is evaluated only if `a` is not 0. `int`, 0 or 1.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`: `b` is evaluated only if `a` is 0. `int`, 0 or 1.
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-a` (integer or floating)
    Negate,
    /// `~a`
    BitNot,
    /// `!a` of any scalar; `int`, 0 or 1.
    Not,
}

/// Operators of two operands. Both have the same type, except for shifts (the right one has any
/// integer type) and the pointer ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    /// Comparisons of two integers, two floats or two pointers give an `int`, 0 or 1.
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    /// Pointer plus integer (signed, of the pointer-difference type), counted in elements.
    PointerAdd,
    /// Pointer minus pointer, counted in elements.
    PointerDiff,
}

impl BinaryOp {
    /// The negation of a comparison of integers or pointers. (It is wrong for floats: they can be
    /// NaN.)
    pub fn negated(self) -> Option<BinaryOp> {
        Some(match self {
            BinaryOp::Less => BinaryOp::GreaterEqual,
            BinaryOp::LessEqual => BinaryOp::Greater,
            BinaryOp::Greater => BinaryOp::LessEqual,
            BinaryOp::GreaterEqual => BinaryOp::Less,
            BinaryOp::Equal => BinaryOp::NotEqual,
            BinaryOp::NotEqual => BinaryOp::Equal,
            _ => return None,
        })
    }

    /// The value of the operation on constants of a type, for a result of another; `None` if it is
    /// undefined.
    pub fn of_constants(self, x: i128, y: i128, operands: IntKind, result: IntKind, model: DataModel) -> Option<i128> {
        let width = i128::from(operands.width(model));
        let exact = match self {
            BinaryOp::Add => x.checked_add(y)?,
            BinaryOp::Sub => x.checked_sub(y)?,
            BinaryOp::Mul => x.checked_mul(y)?,
            BinaryOp::Div => x.checked_div(y)?,
            BinaryOp::Rem => {
                // The least value by -1 is undefined, though its remainder would fit.
                if x == operands.min(model) && y == -1 {
                    return None;
                }
                x.checked_rem(y)?
            }
            BinaryOp::ShiftLeft if (0..width).contains(&y) && (x >= 0 || !operands.is_signed()) => {
                x.checked_mul(1i128.checked_shl(u32::try_from(y).ok()?)?)?
            }
            BinaryOp::ShiftRight if (0..width).contains(&y) => x >> y,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return None,
            BinaryOp::BitAnd => x & y,
            BinaryOp::BitOr => x | y,
            BinaryOp::BitXor => x ^ y,
            BinaryOp::Less => i128::from(x < y),
            BinaryOp::LessEqual => i128::from(x <= y),
            BinaryOp::Greater => i128::from(x > y),
            BinaryOp::GreaterEqual => i128::from(x >= y),
            BinaryOp::Equal => i128::from(x == y),
            BinaryOp::NotEqual => i128::from(x != y),
            BinaryOp::PointerAdd | BinaryOp::PointerDiff => return None,
        };
        let wrapped = result.wrap(exact, model);
        (wrapped == exact || !result.is_signed()).then_some(wrapped)
    }

    /// The comparison that means the same with its operands exchanged.
    pub fn exchanged(self) -> Option<BinaryOp> {
        Some(match self {
            BinaryOp::Less => BinaryOp::Greater,
            BinaryOp::LessEqual => BinaryOp::GreaterEqual,
            BinaryOp::Greater => BinaryOp::Less,
            BinaryOp::GreaterEqual => BinaryOp::LessEqual,
            BinaryOp::Equal | BinaryOp::NotEqual => self,
            _ => return None,
        })
    }
}

/// An expression that denotes an object: a base object and a path into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lvalue {
    /// Where the path starts.
    pub base: Base,
    /// The steps from there.
    pub path: Vec<Step>,
    /// The type of the object at the end of the path.
    pub ty: Type,
    /// Where it stands in the source.
    pub location: Location,
}

/// Where the path of an lvalue starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// A variable.
    Var(VarId),
    /// What a pointer points to (`*p`; `p[i]` is `*(p + i)`).
    Deref(Box<Expr>),
}

/// One step of a path into an object.
///
/// `I` is what the path keeps of an index: for an lvalue the expression, which is signed, of the
/// pointer-difference type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step<I = Expr> {
    /// A member of a struct or union, by its number.
    Field(StructId, u32),
    /// An element of an array.
    Index(I),
}

impl Expr {
    /// The function that it names.
    pub fn named_function(&self) -> Option<FunctionId> {
        match &self.kind {
            ExprKind::FunctionAddress(f) => Some(*f),
            ExprKind::Cast(inner) => inner.named_function(),
            _ => None,
        }
    }

    /// Whether it is an integer constant, perhaps converted.
    pub fn is_converted_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_) => true,
            ExprKind::Cast(inner) => inner.is_converted_constant(),
            _ => false,
        }
    }

    /// The pointer before something is added to it: both point into the same object.
    pub fn before_moves(&self) -> &Expr {
        match &self.kind {
            ExprKind::Binary(BinaryOp::PointerAdd, base, _) => base.before_moves(),
            ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => inner.before_moves(),
            _ => self,
        }
    }

    /// An expression of that form.
    pub fn new(kind: ExprKind, ty: Type, location: Location) -> Expr {
        Expr { kind, ty, location }
    }

    /// An integer constant; `value` lies in the range of `kind`.
    pub fn int(value: i128, kind: IntKind, location: Location) -> Expr {
        Expr::new(ExprKind::Int(value), Type::Int(kind), location)
    }

    /// The value of an lvalue.
    pub fn load(lvalue: Lvalue) -> Expr {
        let (ty, location) = (lvalue.ty.clone(), lvalue.location);
        Expr::new(ExprKind::Load(lvalue), ty, location)
    }

    /// `a op b` of type `ty`.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
        let location = a.location;
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, location)
    }

    /// `!a`
    #[must_use]
    pub fn negated(self) -> Expr {
        let location = self.location;
        Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(self)), Type::INT, location)
    }

    /// The conversion to `ty`; the expression itself if it has that type already.
    #[must_use]
    pub fn cast(self, ty: Type) -> Expr {
        if self.ty == ty {
            return self;
        }
        let location = self.location;
        Expr::new(ExprKind::Cast(Box::new(self)), ty, location)
    }

    /// The operand of conversions between integers, or the expression itself.
    pub fn without_integer_casts(&self) -> &Expr {
        let mut e = self;
        while let ExprKind::Cast(a) = &e.kind
            && e.ty.as_int().is_some()
            && a.ty.as_int().is_some()
        {
            e = a;
        }
        e
    }

    /// The variable whose value it is, perhaps converted.
    pub fn converted_var(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Load(l) => l.as_var(),
            ExprKind::Cast(a) => a.converted_var(),
            _ => None,
        }
    }

    /// Whether both are the same, wherever they stand in the source. (`false` for floating
    /// constants and addresses of functions.)
    pub fn is_same(&self, other: &Expr) -> bool {
        use ExprKind::{AddressOf, And, Binary, Cast, Conditional, Int, Load, Or, Unary};
        self.ty == other.ty
            && match (&self.kind, &other.kind) {
                (Int(x), Int(y)) => x == y,
                (Load(x), Load(y)) | (AddressOf(x), AddressOf(y)) => x.is_same(y),
                (Unary(o, x), Unary(p, y)) => o == p && x.is_same(y),
                (Cast(x), Cast(y)) => x.is_same(y),
                (Binary(o, x, y), Binary(p, z, w)) => o == p && x.is_same(z) && y.is_same(w),
                (And(x, y), And(z, w)) | (Or(x, y), Or(z, w)) => x.is_same(z) && y.is_same(w),
                (Conditional(c, x, y), Conditional(d, z, w)) => c.is_same(d) && x.is_same(z) && y.is_same(w),
                _ => false,
            }
    }

    /// The value, if it is an integer constant.
    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl BinaryOp {
    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
    }

    /// The spelling in C.
    pub fn c_name(self) -> &'static str {
        match self {
            BinaryOp::Add | BinaryOp::PointerAdd => "+",
            BinaryOp::Sub | BinaryOp::PointerDiff => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
        }
    }
}

impl Lvalue {
    /// The whole variable.
    pub fn var(program: &Program, id: VarId, location: Location) -> Lvalue {
        Lvalue { base: Base::Var(id), path: Vec::new(), ty: program.variable(id).ty.clone(), location }
    }

    /// Whether both are the same, wherever they stand in the source.
    pub fn is_same(&self, other: &Lvalue) -> bool {
        let bases = match (&self.base, &other.base) {
            (Base::Var(x), Base::Var(y)) => x == y,
            (Base::Deref(p), Base::Deref(q)) => p.is_same(q),
            _ => false,
        };
        bases
            && self.path.len() == other.path.len()
            && self.path.iter().zip(&other.path).all(|pair| match pair {
                (Step::Field(s, m), Step::Field(t, n)) => s == t && m == n,
                (Step::Index(x), Step::Index(y)) => x.is_same(y),
                _ => false,
            })
    }

    /// The variable that it is or lies in.
    pub fn as_base(&self) -> Option<VarId> {
        match self.base {
            Base::Var(v) => Some(v),
            Base::Deref(_) => None,
        }
    }

    /// The variable, if the lvalue is a whole variable.
    pub fn as_var(&self) -> Option<VarId> {
        match self.base {
            Base::Var(v) if self.path.is_empty() => Some(v),
            _ => None,
        }
    }
}
