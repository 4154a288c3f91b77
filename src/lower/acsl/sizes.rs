//! `sizeof` and `&` in annotations.

use super::resolve::{Logic, Value, bits_of, pointer, span};
use super::syntax::{Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer, Symbol, Tag};
use crate::program::{FloatKind, IntKind, Term, TermOp, Type};

impl Lowerer<'_> {
    /// `sizeof(words **)`; the words name a type or an object.
    pub(super) fn size_of_words(
        &mut self,
        words: &str,
        stars: usize,
        node: &Node,
        logic: &mut Logic,
    ) -> Lowered<Value> {
        let is_local = logic.bound.iter().any(|(name, _)| name == words)
            || logic.arguments.as_ref().is_some_and(|all| all.contains_key(words));
        let named = if is_local { None } else { self.type_named(words, logic.arguments.is_some()) };
        let ty = match named {
            Some(ty) => ty,
            None if stars == 0 => {
                let named = Node { kind: NodeKind::Name(words.to_owned()), start: node.start, end: node.end };
                let value = self.value_of(&named, logic)?;
                return self.size_of_value(&value, node);
            }
            None => return self.wrong(span(node), format!("there is no type `{words}`")),
        };
        let ty = (0..stars).fold(ty, |ty, _| ty.pointer_to());
        self.size_of_type(&ty, node)
    }

    pub(super) fn size_of_value(&mut self, value: &Value, node: &Node) -> Lowered<Value> {
        match value {
            Value::Object(place) | Value::Then(place, _) => self.size_of_type(&place.ty.clone(), node),
            _ => self.unsupported(span(node), "`sizeof` of something that is no object is not supported"),
        }
    }

    fn size_of_type(&self, ty: &Type, node: &Node) -> Lowered<Value> {
        let size = if matches!(ty, Type::Void | Type::Function) { None } else { self.size_of(ty) };
        let Some(size) = size else {
            let ty = self.type_name(ty);
            return self.unsupported(span(node), format!("the size of the type `{ty}` is not known"));
        };
        Ok(Value::Term(Term::Int(i128::from(size)), bits_of(i128::from(size))))
    }

    /// The type of C that these words name, here or at file scope.
    fn type_named(&self, words: &str, at_file_scope: bool) -> Option<Type> {
        match words {
            "integer" | "real" | "boolean" => return None,
            "_Bool" => return Some(Type::Int(IntKind::Bool)),
            "float" => return Some(Type::Float(FloatKind::Float)),
            "double" => return Some(Type::Float(FloatKind::Double)),
            "void" => return Some(Type::Void),
            _ => {}
        }
        if let Some(tag) = words.strip_prefix("struct ").or_else(|| words.strip_prefix("union ")) {
            let found = match at_file_scope {
                true => self.scopes.first().and_then(|s| s.tags.get(tag)).copied(),
                false => self.lookup_tag(tag),
            };
            return match found {
                Some(Tag::Struct(id)) => Some(Type::Struct(id)),
                _ => None,
            };
        }
        let found =
            if at_file_scope { self.scopes.first().and_then(|s| s.symbols.get(words)) } else { self.lookup(words) };
        match found {
            Some(Symbol::Typedef(declared)) => Some(declared.ty.clone()),
            Some(_) => None,
            None => self.kind_named(words).flatten().map(Type::Int),
        }
    }

    /// `&a`: the address of an element is its array, moved.
    pub(super) fn address_term(&mut self, a: &Node, node: &Node, logic: &mut Logic) -> Lowered<Value> {
        if let NodeKind::Index(array, index) = &a.kind
            && !matches!(index.kind, NodeKind::Range(..) | NodeKind::All)
        {
            let array = self.value_of(array, logic)?;
            if let Some((place, offset, bits)) = pointer(&array) {
                let (by, more) = self.term_of(index, logic)?;
                let moved = Term::Binary(TermOp::Add, Box::new(offset), Box::new(by));
                return match self.sized(moved, bits.max(more) + 1, node)? {
                    Value::Term(moved, bits) => Ok(Value::Moved(place, moved, bits)),
                    value => Ok(value),
                };
            }
        }
        self.unsupported(span(node), "the address of this is not supported")
    }
}
