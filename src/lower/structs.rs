//! Structs and unions.

use super::context::{Lowered, Lowerer, StructInfo, Tag};
use super::declarators::Lengths;
use super::signatures::Signature;
use crate::program::{IntKind, Length, Location, Member, Origin, Packing, StructId, StructType, Type};
use lang_c::ast::{Expression, StructDeclaration, StructKind};
use lang_c::span::{Node, Span};
use std::collections::BTreeSet;
use std::rc::Rc;

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
                self.add_struct(name, is_union, location)
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
            && let Some(twin) = self.twin(&members, packing, location)
        {
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
    /// It is another struct.
    fn defined_again(&mut self, id: StructId, members: &[Member], packing: Packing, span: Span) -> Lowered<()> {
        let StructType { name, members: old, packing: before, .. } = self.program.structure(id);
        let same = fits(*before, packing)
            && old.len() == members.len()
            && old.iter().zip(members).all(|(a, b)| a.has_name_of(b) && a.ty == b.ty && a.bits == b.bits);
        if !same {
            let text = format!("`{name}` has different members or another layout in another file");
            return self.unsupported(span, text);
        }
        self.structs[id.0 as usize].unit = self.unit_number;
        Ok(())
    }

    /// The type without a tag that an earlier file defines by the same text, which both include.
    fn twin(&self, members: &[Member], packing: Packing, location: Location) -> Option<StructId> {
        let twin = self.program.structs.iter().position(|s| {
            s.location == location
                && fits(s.packing, packing)
                && s.members.len() == members.len()
                && s.members.iter().zip(members).all(|(a, b)| a.has_name_of(b) && a.ty == b.ty)
        });
        twin.filter(|n| self.unit_number > 0 && self.structs[*n].complete).map(|n| StructId(n as u32))
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
        self.structs.push(StructInfo { complete: false, unit: self.unit_number });
        id
    }

    /// A new tag of the innermost scope. At file scope the type of an earlier file with that tag is
    /// reused.
    pub(super) fn declare_tag(&mut self, name: &str, is_union: bool, location: Location) -> StructId {
        let earlier = if self.at_file_scope() { self.file_tags.get(name).copied() } else { None };
        let id = earlier
            .filter(|id| self.program.structure(*id).is_union == is_union)
            .unwrap_or_else(|| self.add_struct(name.to_owned(), is_union, location));
        if self.at_file_scope() {
            self.file_tags.insert(name.to_owned(), id);
        }
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
