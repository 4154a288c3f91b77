//! Structs and unions.

use super::context::{Lowered, Lowerer, StructInfo, Tag};
use super::declarators::Lengths;
use super::signatures::Signature;
use crate::program::{IntKind, Length, Location, Member, Origin, Packing, StructId, StructType, Type};
use lang_c::ast::{Expression, StructDeclaration, StructKind};
use lang_c::span::{Node, Span};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path};
use std::rc::Rc;

/// How many types of earlier files with its tag are not the type that a file means by a tag of file
/// scope. The files are lowered again each time that one more is found: uses of the tag come before
/// its definition.
pub(super) type PassedOver = RefCell<HashMap<(usize, String), usize>>;

impl Lowerer<'_> {
    /// Lowers a struct or a union, with its members or by its tag alone.
    pub(super) fn structure(&mut self, node: &Node<lang_c::ast::StructType>) -> Lowered<StructId> {
        let is_union = node.node.kind.node == StructKind::Union;
        let location = self.at(node.span);
        let tag = node.node.identifier.as_ref();
        let name = tag.map(|t| t.node.name.clone());
        let Some(declarations) = &node.node.declarations else {
            let Some(name) = name else {
                return self.wrong(node.span, "a struct without name and members");
            };
            return match self.lookup_tag(&name) {
                Some(Tag::Struct(id)) => Ok(id),
                Some(Tag::Enum(_)) => self.wrong(node.span, format!("`{name}` is an enum")),
                None => Ok(self.declare_tag(&name, is_union, location)),
            };
        };
        let id = match &name {
            None => {
                let name = format!("anonymous_{}", self.program.structs.len());
                let id = self.add_struct(name, is_union, location);
                self.structs[id.0 as usize].tagged = false;
                id
            }
            Some(name) => match self.scope().tags.get(name).copied() {
                Some(Tag::Struct(id)) => id,
                Some(Tag::Enum(_)) => return self.wrong(node.span, format!("`{name}` is an enum")),
                None => self.declare_tag(name, is_union, location),
            },
        };
        if self.program.structure(id).is_union != is_union {
            return self.wrong(node.span, "this tag is declared as a struct and as a union");
        }
        let is_complete = self.structs[id.0 as usize].complete;
        if is_complete && self.structs[id.0 as usize].unit == self.unit_number {
            return self.wrong(node.span, format!("`{}` is defined twice", self.program.structure(id).name));
        }
        let mut signatures = Vec::new();
        let mut members = self.members(declarations, &mut signatures)?;
        // GNU C: an array without elements at the end is a flexible one.
        if let [_, .., Member { ty: Type::Array(_, length @ Length::Constant(0)), .. }] = members.as_mut_slice()
            && !is_union
        {
            *length = Length::Unknown;
        }
        let asked = if is_complete { Packing::Natural } else { self.program.structure(id).packing };
        let packing = self.packing_of(asked, &members, node.span);
        if is_complete {
            self.defined_again(id, &members, packing, node.span)?;
            return Ok(id);
        }
        if name.is_none()
            && let Some(twin) = self.twin(id, &members, packing)
        {
            self.structs[twin.0 as usize].unit = self.unit_number;
            return Ok(twin);
        }
        let structure = &mut self.program.structs[id.0 as usize];
        structure.packing = packing;
        structure.members = members;
        structure.location = location;
        let info = &mut self.structs[id.0 as usize];
        info.complete = true;
        info.unit = self.unit_number;
        for (n, signature) in signatures {
            self.member_signatures.insert((id, n), signature);
        }
        Ok(id)
    }

    /// How the members of a struct lie, by its definition and by what a `typedef` before has asked.
    fn packing_of(&self, asked: Packing, members: &[Member], span: Span) -> Packing {
        match self.unit.packing(span) {
            _ if asked == Packing::Unknown => Packing::Unknown,
            // What a bit-field of width 0 does to a packed struct is not modelled.
            Packing::AtMost(_) if members.iter().any(|m| m.bits == Some(0)) => Packing::Unknown,
            packing => packing,
        }
    }

    /// Notes a definition in one more file of a struct that another file has defined.
    ///
    /// # Errors
    /// It is another struct. The tag will be that of another type when the files are lowered again.
    fn defined_again(&mut self, id: StructId, members: &[Member], packing: Packing, span: Span) -> Lowered<()> {
        let StructType { name, members: old, packing: before, .. } = self.program.structure(id);
        let same = fits(*before, packing)
            && old.len() == members.len()
            && old.iter().zip(members).all(|(a, b)| self.are_one_member(a, b));
        if !same {
            *self.passed_over.borrow_mut().entry((self.unit_number, name.clone())).or_default() += 1;
            let text = format!("`{name}` has different members or another layout in another file");
            return self.unsupported(span, text);
        }
        self.structs[id.0 as usize].unit = self.unit_number;
        Ok(())
    }

    fn are_one_member(&self, a: &Member, b: &Member) -> bool {
        a.has_name_of(b) && a.bits == b.bits && self.are_compatible(&a.ty, &b.ty)
    }

    /// Whether two types of members are compatible. Types with tags are one type if they are:
    /// [`Lowerer::declare_tag`] sees to it.
    fn are_compatible(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Pointer(a), Type::Pointer(b)) => self.are_compatible(a, b),
            (Type::Array(a, m), Type::Array(b, n)) => m == n && self.are_compatible(a, b),
            (Type::Struct(a), Type::Struct(b)) if a != b => {
                let untagged = |id: &StructId| !self.structs[id.0 as usize].tagged;
                let other = self.program.structure(*b);
                untagged(a) && untagged(b) && self.has_form(*a, other.is_union, &other.members, other.packing)
            }
            (a, b) => a == b,
        }
    }

    /// Whether the type has these members.
    fn has_form(&self, id: StructId, is_union: bool, members: &[Member], packing: Packing) -> bool {
        let structure = self.program.structure(id);
        let one = |a: &Member, b: &Member| a.constant == b.constant && self.are_one_member(a, b);
        structure.is_union == is_union
            && fits(structure.packing, packing)
            && structure.members.len() == members.len()
            && structure.members.iter().zip(members).all(|(a, b)| one(a, b))
    }

    /// The type without a tag of an earlier file for one of this file with these members. Such
    /// types of two files are compatible if their members are (C11 6.2.7p1), so that either may
    /// stand for the other; types of one file stay different. If several fit, it is the one that
    /// the same text defines, which both files include.
    fn twin(&self, new: StructId, members: &[Member], packing: Packing) -> Option<StructId> {
        let StructType { is_union, location, .. } = self.program.structure(new);
        let is_here = |id: &StructId| self.is_same_place(self.program.structure(*id).location, *location);
        let fitting = (0..new.0).map(StructId).filter(|id| {
            let info = &self.structs[id.0 as usize];
            // What is lowered twice is one type.
            let is_free = info.unit != self.unit_number || (self.unit_number > 0 && is_here(id));
            info.complete && !info.tagged && is_free && self.has_form(*id, *is_union, members, packing)
        });
        let fitting: Vec<StructId> = fitting.collect();
        fitting.iter().find(|id| is_here(id)).or(fitting.first()).copied()
    }

    /// Whether two places are one, although files may include a header by different spellings of
    /// its path.
    fn is_same_place(&self, a: Location, b: Location) -> bool {
        let name = |l: Location| Path::new(&self.program.sources.file(l.file).name).components();
        let steps = |l: Location| name(l).filter(|c| *c != Component::CurDir);
        (a.line, a.column) == (b.line, b.column) && (a.file == b.file || steps(a).eq(steps(b)))
    }

    pub(super) fn add_struct(&mut self, name: String, is_union: bool, location: Location) -> StructId {
        let id = StructId(self.program.structs.len() as u32);
        self.program.structs.push(StructType {
            name,
            is_union,
            packing: Packing::Natural,
            is_argument_list: false,
            members: Vec::new(),
            location,
        });
        self.structs.push(StructInfo { complete: false, tagged: true, unit: self.unit_number });
        id
    }

    /// A new tag of the innermost scope. At file scope, a type of an earlier file with that tag is
    /// reused: the first that this file does not define in another way.
    ///
    /// **Sound**: tags have no linkage, so a type of one file that another file defines in another
    /// way is a type of its own (C11 6.2.7p1). Objects and functions that both files declare need
    /// compatible types; the declarations are compared.
    pub(super) fn declare_tag(&mut self, name: &str, is_union: bool, location: Location) -> StructId {
        if !self.at_file_scope() {
            let id = self.add_struct(name.to_owned(), is_union, location);
            self.scope().tags.insert(name.to_owned(), Tag::Struct(id));
            return id;
        }
        let passed_over = self.passed_over.borrow().get(&(self.unit_number, name.to_owned())).copied();
        let known = self.file_tags.get(name).into_iter().flatten().copied();
        let mut fitting = known.filter(|id| self.program.structure(*id).is_union == is_union);
        let id = match fitting.nth(passed_over.unwrap_or(0)) {
            Some(id) => id,
            None => {
                let id = self.add_struct(name.to_owned(), is_union, location);
                self.file_tags.entry(name.to_owned()).or_default().push(id);
                id
            }
        };
        self.scope().tags.insert(name.to_owned(), Tag::Struct(id));
        id
    }

    fn members(
        &mut self,
        declarations: &[Node<StructDeclaration>],
        signatures: &mut Vec<(u32, Rc<Signature>)>,
    ) -> Lowered<Vec<Member>> {
        let mut members: Vec<Member> = Vec::new();
        for declaration in declarations {
            let field = match &declaration.node {
                StructDeclaration::StaticAssert(a) => {
                    self.static_assert(a)?;
                    continue;
                }
                StructDeclaration::Field(field) => field,
            };
            let base = self.qualified(&field.node.specifiers, field.span)?;
            if field.node.declarators.is_empty() {
                if matches!(base.ty, Type::Struct(id) if self.structs[id.0 as usize].complete) {
                    let (name, origin) = (format!("_{}", members.len()), Origin::Unnamed);
                    members.push(Member { name, origin, ty: base.ty, bits: None, constant: base.constant });
                }
                continue;
            }
            for declarator in &field.node.declarators {
                let span = declarator.span;
                let (name, declared) = match &declarator.node.declarator {
                    Some(d) => self.declarator(base.clone(), d, Lengths::Constant)?,
                    None => (None, base.clone()),
                };
                let (name, origin) = match name {
                    Some(name) => (name.node.name.clone(), Origin::Source),
                    None => (format!("_{}", members.len()), Origin::Unnamed),
                };
                if origin == Origin::Source && members.iter().any(|m| !m.is_unnamed() && m.name == name) {
                    return self.wrong(span, format!("two members have the name `{name}`"));
                }
                let bits = match &declarator.node.bit_width {
                    None => None,
                    Some(width) => Some(self.bits(&declared.ty, width)?),
                };
                let flexible = matches!(&declared.ty, Type::Array(e, Length::Unknown) if self.is_complete(e));
                if !self.is_complete(&declared.ty) && !flexible {
                    return self.wrong(span, format!("`{name}` has an incomplete type"));
                }
                if let Some(signature) = declared.signature {
                    signatures.push((members.len() as u32, signature));
                }
                members.push(Member { name, origin, ty: declared.ty, bits, constant: declared.constant });
            }
        }
        distinguish(&mut members);
        Ok(members)
    }

    fn bits(&mut self, ty: &Type, width: &Node<Expression>) -> Lowered<u8> {
        let Type::Int(kind) = ty else { return self.wrong(width.span, "a bit-field has to be an integer") };
        let most = i128::from(kind.width(self.model()));
        let bits = self.integer_constant(width)?;
        if i128::from(IntKind::UInt.width(self.model())) <= bits && bits < most {
            self.program.assume_that("arithmetic on a bit-field that is wider than `int` is done in its declared type");
        }
        match u8::try_from(bits) {
            Ok(n) if bits <= most => Ok(n),
            _ => self.wrong(width.span, format!("a bit-field of this type has 0 to {most} bits")),
        }
    }
}

/// Whether two definitions lay a struct out in the same way. If the layout of the earlier one is
/// not modelled, it does not matter what the other one is.
fn fits(earlier: Packing, packing: Packing) -> bool {
    earlier == packing || earlier == Packing::Unknown
}

/// Gives the members without a name names that no other member has.
fn distinguish(members: &mut [Member]) {
    let named: BTreeSet<String> = members.iter().filter(|m| !m.is_unnamed()).map(|m| m.name.clone()).collect();
    for member in members.iter_mut().filter(|m| m.is_unnamed()) {
        while named.contains(&member.name) {
            member.name.push('_');
        }
    }
}
