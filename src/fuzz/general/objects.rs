//! Random statements about objects: pointers, structs, unions, texts.

use super::{Array, Generator, Kind, Scalar};

impl Generator {
    pub(super) fn pointer(&mut self) {
        let fitting: Vec<Array> = self.arrays.iter().filter(|a| a.member.is_empty()).cloned().collect();
        if fitting.is_empty() {
            return self.array();
        }
        let array = self.random.pick(&fitting).clone();
        if let [rows, columns] = &array.lengths[..] {
            // Along all rows.
            let (p, n) = (self.name("p"), self.name("n"));
            self.line(&format!("int {n} = {rows} * {columns};"));
            self.line(&format!("{} *{p} = &{}[0][0];", array.kind.name(), array.name));
            self.counters.push(n.clone());
            self.arrays.push(Array { name: p, kind: array.kind, lengths: vec![n], member: "" });
            return;
        }
        let (ty, name, length) = (array.kind.name(), array.name, array.lengths[0].clone());
        let p = self.name("p");
        let value = self.expr(2);
        match self.random.below(4) {
            0 => {
                self.line(&format!("for ({ty} *{p} = {name}; {p} < {name} + {length}; {p}++)"));
                self.line(&format!("    *{p} = {value};"));
            }
            1 => {
                let k = self.index(&length, 1);
                self.line(&format!("{ty} *{p} = &{name}[{k}];"));
                self.line(&format!("*{p} = {value};"));
                self.arrays.push(Array { name: p, kind: array.kind, lengths: vec!["1".into()], member: "" });
            }
            2 => {
                self.line(&format!("{ty} *{p} = {name} + {length};"));
                let x = self.name("x");
                self.line(&format!("long {x} = 0;"));
                self.line(&format!("while ({p} != {name}) {{"));
                self.line(&format!("    {p}--;"));
                self.line(&format!("    {x} = ({x} ^ *{p}) + ({p} - {name});"));
                self.line("}");
                self.scalars.push(Scalar { name: x, kind: Kind(8) });
            }
            _ => {
                self.line(&format!("{ty} *{p} = {name};"));
                self.arrays.push(Array { name: p, kind: array.kind, lengths: vec![length], member: "" });
            }
        }
    }

    /// Expressions with side effects in the middle of others.
    pub(super) fn side_effect(&mut self) {
        let i = self.name("i");
        match self.random.below(7) {
            0 | 1 => {
                let plain: Vec<Array> = self.arrays.iter().filter(|a| a.lengths.len() == 1).cloned().collect();
                if plain.is_empty() {
                    return self.assign();
                }
                let array = self.random.pick(&plain).clone();
                let (length, name, member) = (array.lengths[0].clone(), array.name, array.member);
                let value = self.expr(2);
                self.line(&format!("int {i} = 0;"));
                if self.random.one_in(2) {
                    self.line(&format!("while ({i} < {length}) {name}[{i}++]{member} = {value};"));
                } else {
                    self.line(&format!("do {name}[{i}]{member} = {value}; while (++{i} < {length});"));
                }
            }
            2 => {
                let (Some(a), Some(b)) = (self.assignable(), self.assignable()) else { return };
                let value = self.expr(2);
                self.line(&format!("{} = {} = {value};", a.name, b.name));
            }
            3 => {
                let (condition, value) = (self.condition(2), self.expr(2));
                self.line(&format!("unsigned int {i} = 0;"));
                self.line(&format!("if ({i}++ == 0 && {condition} && ++{i} > 0) {i} += {value};"));
                self.scalars.push(Scalar { name: i, kind: Kind(7) });
            }
            4 => {
                let (condition, value) = (self.condition(2), self.expr(2));
                self.line(&format!("unsigned long {i} = 7;"));
                self.line(&format!("{i} = {condition} ? {i}++ + 3 : ({i} -= 2, {i} * {value});"));
                self.scalars.push(Scalar { name: i, kind: Kind(9) });
            }
            5 if self.config.functions => {
                let (condition, value) = (self.condition(2), self.expr(1));
                self.line(&format!("int (*{i})(int) = {condition} ? twice : thrice;"));
                let x = self.name("x");
                self.line(&format!("int {x} = {i}({value}) + count();"));
                self.scalars.push(Scalar { name: x, kind: Kind(6) });
            }
            _ if self.config.functions => {
                let value = self.expr(1);
                self.line(&format!("int {i} = factorial({value} & 7) + count();"));
                self.scalars.push(Scalar { name: i, kind: Kind(6) });
            }
            _ => self.assign(),
        }
    }

    /// Addresses of scalars, pointers to pointers, functions that write through pointers.
    pub(super) fn address(&mut self) {
        let (x, p) = (self.name("x"), self.name("p"));
        let (a, b) = (self.expr(2), self.expr(2));
        self.line(&format!("int {x} = {a};"));
        match self.random.below(6) {
            0 if self.config.functions => self.line(&format!("set(&{x}, {b});")),
            1 => {
                let q = self.name("p");
                self.line(&format!("int *{p} = &{x};"));
                self.line(&format!("int **{q} = &{p};"));
                self.line(&format!("**{q} = {b};"));
                self.line(&format!("__VERIFIER_assert(*{p} == {x} && *{q} == {p});"));
            }
            2 => {
                let condition = self.condition(2);
                let other = self.ints().map_or(format!("&{x}"), |(name, _)| name);
                self.line(&format!("int *{p} = {condition} ? &{x} : {other};"));
                self.line(&format!("*{p} = {b};"));
                self.line(&format!("if ({p} && {p} != &{x}) {x} = *{p} ^ 1;"));
            }
            // Pointers that may be null, and are tested before they are used.
            3 | 4 => {
                let (q, first, second) = (self.name("p"), self.condition(2), self.condition(2));
                self.line(&format!("int *{p} = {first} ? &{x} : 0;"));
                match self.random.below(3) {
                    0 => self.line(&format!("int *{q} = {second} ? {p} : &{x};")),
                    1 => self.line(&format!("int *{q} = {second} ? &{x} : {p};")),
                    _ => self.line(&format!("int *{q} = {p}; if ({second}) {q} = &{x};")),
                }
                let line = match self.random.below(3) {
                    0 => format!("if ({q} == 0) {x} = 3; else *{q} = {b};"),
                    1 => format!("if ({p}) *{q} = {b}; else {x} = ({q} != 0);"),
                    _ => format!("if ({p} == {q}) {x} = 5; if (!{q}) {x} = {b};"),
                };
                self.line(&line);
            }
            _ => {
                self.line(&format!("const int *{p} = 0;"));
                self.line(&format!("if (!{p}) {p} = &{x};"));
                self.line(&format!("{x} = *{p} & {b};"));
            }
        }
        self.scalars.push(Scalar { name: x, kind: Kind(6) });
    }

    /// A union, of which only the member that was written last is read.
    pub(super) fn union(&mut self) {
        let (u, x) = (self.name("u"), self.name("x"));
        let (a, b) = (self.expr(2), self.expr(2));
        self.line(&format!("union either {u};"));
        self.line(&format!("{u}.number = {a};"));
        self.line(&format!("long {x} = {u}.number;"));
        self.line(&format!("{u}.many[1] = {b};"));
        self.line(&format!("{x} ^= {u}.many[1];"));
        self.scalars.push(Scalar { name: x, kind: Kind(8) });
    }

    pub(super) fn struct_call(&mut self) {
        if !self.calls_allowed(0) {
            return self.assign();
        }
        let (s, x) = (self.name("s"), self.name("x"));
        let (a, b) = (self.expr(2), self.expr(2));
        self.line(&format!("struct pair {s} = make_pair({a}, {b});"));
        if self.random.one_in(2) {
            self.line(&format!("fill_pair(&{s}, {b});"));
        }
        self.line(&format!("long {x} = sum_of_pair({s});"));
        if self.random.one_in(3) {
            let (t, i) = (self.name("t"), self.name("i"));
            self.line(&format!("struct pair {t}[2] = {{{{1}}, {{2, 3}}}};"));
            self.line(&format!("{t}[1] = {s};"));
            self.line(&format!("for (int {i} = 0; {i} < 2; {i}++) {x} = (short){x} + sum_of_pair({t}[{i}]);"));
        }
        self.struct_members(&s);
        self.scalars.push(Scalar { name: x, kind: Kind(8) });
        if self.random.one_in(3) {
            let (n, m) = (self.name("n"), self.name("n"));
            let (t, i, y) = (self.name("t"), self.name("i"), self.name("x"));
            self.line(&format!("int {n} = ({a} & 3) + 1, {m} = 2;"));
            self.line(&format!("int {t}[{n}][{m}];"));
            self.line(&format!("for (int {i} = 0; {i} < {n} * {m}; {i}++) {t}[{i} / {m}][{i} % {m}] = {i};"));
            self.line(&format!("long {y} = total({n}, {m}, {t});"));
            self.counters.extend([n.clone(), m.clone()]);
            self.arrays.push(Array { name: t, kind: Kind(6), lengths: vec![n, m], member: "" });
            self.scalars.push(Scalar { name: y, kind: Kind(8) });
        }
    }

    /// Cells that are set or copied as a block.
    pub(super) fn block(&mut self) {
        let plain = |a: &&Array| a.lengths.len() == 1 && a.member.is_empty();
        let arrays: Vec<Array> = self.arrays.iter().filter(plain).cloned().collect();
        if arrays.is_empty() {
            return self.array();
        }
        let to = self.random.pick(&arrays).clone();
        let (name, length) = (&to.name, &to.lengths[0]);
        // Small enough, because the sanitizers do not check heap blocks.
        let count = match self.random.below(4) {
            0 | 1 => length.clone(),
            2 => "1".to_owned(),
            _ => format!("((unsigned int){} % (unsigned int){length})", self.expr(1)),
        };
        let from: Vec<&Array> = arrays.iter().filter(|a| a.kind == to.kind && a.lengths == to.lengths).collect();
        let from = self.random.pick(&from).name.clone();
        let line = match self.random.below(3) {
            0 if from != *name => format!("if ({name} != {from}) memcpy({name}, {from}, {count} * sizeof(*{name}));"),
            1 if to.kind.name() != "_Bool" => format!("memset({name}, 255, {count} * sizeof({}));", to.kind.name()),
            _ => format!("memset({name}, 0, {count} * sizeof(*{name}));"),
        };
        self.line(&line);
    }

    pub(super) fn text_array(&mut self) {
        let (a, x) = (self.name("a"), self.name("x"));
        self.line(&format!("char {a}[] = \"ab\\377c\";"));
        self.line(&format!("unsigned long {x} = sizeof {a} / sizeof {a}[0];"));
        self.arrays.push(Array { name: a, kind: Kind(1), lengths: vec!["5".into()], member: "" });
        self.scalars.push(Scalar { name: x, kind: Kind(9) });
    }

    /// A jump into the middle of a loop.
    pub(super) fn jump_in(&mut self) {
        let label = self.label();
        let i = self.name("i");
        let (condition, stay) = (self.condition(2), self.condition(2));
        self.line(&format!("int {i} = 0;"));
        self.line(&format!("if ({condition}) goto {label};"));
        self.line(&format!("while ({i} < 4 && {stay}) {{"));
        let scope = self.enter();
        self.counters.push(i.clone());
        let (iterations, loops) = (self.iterations, self.loops);
        self.iterations *= 5;
        self.loops = 0;
        self.line("{");
        self.body();
        self.line("}");
        self.line(&format!("{label}: {i}++;"));
        self.line("{");
        self.body();
        self.line("}");
        (self.iterations, self.loops) = (iterations, loops);
        self.leave(scope);
        self.line("}");
    }

    pub(super) fn structure(&mut self) {
        if self.config.pointers && self.random.one_in(4) {
            return self.walk();
        }
        let name = self.name("s");
        match self.random.below(5) {
            0 => {
                let (a, b) = (self.value(Kind(6)), self.expr(2));
                self.line(&format!("struct pair {name} = {{{a}, {b}}};"));
                self.struct_members(&name);
            }
            1 => {
                let length = 1 + self.random.below(5);
                self.line(&format!("struct pair {name}[{length}] = {{{{1, 2}}}};"));
                let lengths = vec![length.to_string()];
                self.arrays.push(Array { name: name.clone(), kind: Kind(6), lengths: lengths.clone(), member: ".a" });
                self.arrays.push(Array { name, kind: Kind(8), lengths, member: ".c[1]" });
            }
            2 => self.bit_fields(&name),
            3 => {
                let from: Vec<String> =
                    self.scalars.iter().filter_map(|s| s.name.strip_suffix(".a").map(str::to_owned)).collect();
                if from.is_empty() {
                    return self.assign();
                }
                let from = self.random.pick(&from).clone();
                self.line(&format!("struct pair {name} = {from};"));
                self.struct_members(&name);
            }
            _ => {
                let from: Vec<String> =
                    self.scalars.iter().filter_map(|s| s.name.strip_suffix(".a").map(str::to_owned)).collect();
                if from.is_empty() {
                    return self.assign();
                }
                let from = self.random.pick(&from).clone();
                let value = self.expr(2);
                self.line(&format!("struct pair *{name} = &{from};"));
                self.line(&format!("{name}->a = {value};"));
                let n = self.index("3", 1);
                self.line(&format!("{name}->c[{n}] = {name}->a;"));
            }
        }
    }

    /// A struct of bit-fields, and a copy of it that is changed through a pointer to one of both.
    fn bit_fields(&mut self, name: &str) {
        const FIELDS: [(&str, usize); 6] =
            [("low", 7), ("high", 6), ("wide", 7), ("flag", 0), ("deep", 6), ("last", 3)];
        match self.random.one_in(2) {
            true => self.line(&format!("struct bits {name} = {{0}};")),
            false => self.line(&format!("struct bits {name}; {name}.inner = (struct pair){{1, 2, {{3}}}};")),
        }
        let all = self.random.one_in(2);
        for (field, kind) in FIELDS {
            if all || self.random.one_in(2) {
                let value = self.expr(2);
                self.line(&format!("{name}.{field} = {value};"));
                self.scalars.push(Scalar { name: format!("{name}.{field}"), kind: Kind(kind) });
            }
        }
        if all && self.random.one_in(2) {
            let (copy, p) = (self.name("s"), self.name("p"));
            let (condition, value) = (self.condition(1), self.expr(2));
            let (field, _) = *self.random.pick(&FIELDS);
            self.line(&format!("struct bits {copy} = {name}, *{p} = {condition} ? &{name} : &{copy};"));
            self.line(&format!("{p}->{field} = {value};"));
            self.line(&format!("if ({p}->wide > {p}->low) {p}->deep = {p}->wide;"));
            for (field, kind) in FIELDS {
                self.scalars.push(Scalar { name: format!("{copy}.{field}"), kind: Kind(kind) });
            }
        }
        self.struct_members(&format!("{name}.inner"));
    }

    /// Pointers that move over the members of structs, all of one type.
    fn walk(&mut self) {
        const MEMBERS: [(&str, usize); 7] =
            [("from.x", 0), ("from.y", 1), ("to.x", 2), ("to.y", 3), ("path[0]", 4), ("path[2]", 6), ("last", 6)];
        let (name, p, i) = (self.name("s"), self.name("p"), self.name("i"));
        let (count, n) = *self.random.pick(&[(1, 0), (2, 0), (2, 1)]);
        let element = if count == 1 {
            self.line(&format!("struct line {name} = {{{{1, 2}}, {{3}}, {{4, 5}}}};"));
            name
        } else {
            self.line(&format!("struct line {name}[{count}] = {{{{{{1, 2}}}}}};"));
            format!("{name}[{n}]")
        };
        let (member, before) = *self.random.pick(&MEMBERS);
        let (first, most) = (7 * n + before, 7 * count - 1);
        let at = self.random.below(most + 1);
        if self.random.one_in(2) {
            self.line(&format!("int *{p} = &{element}.{member} + {};", at as i64 - first as i64));
        } else {
            self.line(&format!("int *{p} = &{element}.{member};"));
            let (step, far) = if at < first { ("--", first - at) } else { ("++", at - first) };
            self.line(&format!("for (int {i} = 0; {i} < {far}; {i}++) {p}{step};"));
        }
        self.arrays.push(Array { name: p, kind: Kind(6), lengths: vec![(most + 1 - at).to_string()], member: "" });
        if self.random.one_in(3) {
            let (q, x, a, b) = (self.name("p"), self.name("x"), self.expr(1), self.expr(1));
            self.line(&format!("struct point *{q} = &{element}.from;"));
            self.line(&format!("{q}[1].y = {a};"));
            self.line(&format!("int *{x} = &{q}[1].x;"));
            self.line(&format!("*{x} = {b};"));
        }
        for member in ["from.x", "to.x", "to.y", "path[1]", "last"] {
            self.scalars.push(Scalar { name: format!("{element}.{member}"), kind: Kind(6) });
        }
    }

    /// Pointers that are kept in arrays and structs, and pointers to rows and structs.
    pub(super) fn kept_pointer(&mut self) {
        match self.random.below(5) {
            0 => self.array_of_pointers(),
            1 => self.pointer_in_a_struct(),
            2 => self.pointer_to_rows(),
            3 if self.config.structs => self.pointer_to_elements(),
            4 if self.config.structs && self.config.dynamic => self.allocated_structs(),
            _ => self.address(),
        }
    }

    /// An array of `int`, its name and its length.
    fn ints(&mut self) -> Option<(String, String)> {
        let is_plain = |a: &&Array| a.kind == Kind(6) && a.lengths.len() == 1 && a.member.is_empty();
        let found: Vec<(String, String)> =
            self.arrays.iter().filter(is_plain).map(|a| (a.name.clone(), a.lengths[0].clone())).collect();
        (!found.is_empty()).then(|| self.random.pick(&found).clone())
    }

    fn array_of_pointers(&mut self) {
        let (x, y, t, p) = (self.name("x"), self.name("x"), self.name("p"), self.name("p"));
        let (a, b, c, condition) = (self.expr(2), self.expr(2), self.expr(1), self.condition(2));
        let third = self.ints().map_or(format!("&{x}"), |(name, _)| name);
        let (k, l, bits) = (self.index("3", 1), self.random.below(3), self.random.below(9));
        self.line(&format!("int {x} = {a}, {y} = {b};"));
        self.line(&format!("int *{t}[3] = {{&{x}, &{y}, {third}}};"));
        self.line(&format!("*{t}[{k}] = {c};"));
        self.line(&format!("if ({condition}) {{ int *{p} = {t}[0]; {t}[0] = {t}[{l}]; {t}[{l}] = {p}; }}"));
        self.line(&format!("*{t}[0] = *{t}[1] ^ {bits};"));
        self.scalars.extend([x, y].map(|name| Scalar { name, kind: Kind(6) }));
    }

    fn pointer_in_a_struct(&mut self) {
        let Some((name, length)) = self.ints() else { return self.array() };
        let (v, w) = (self.name("v"), self.name("v"));
        let (k, a, b, condition) = (self.index(&length, 1), self.expr(1), self.constant(), self.condition(1));
        self.line(&format!("struct view {v} = {{{name}, {length}}};"));
        self.line(&format!("{v}.at[{k}] = {a};"));
        self.line(&format!("struct view {w} = {v};"));
        self.line(&format!("if ({condition} && {v}.count > 1) {{ {w}.at++; {w}.count--; }}"));
        self.line(&format!("*{w}.at = {b};"));
        self.counters.push(format!("{w}.count"));
        self.arrays.push(Array { name: format!("{v}.at"), kind: Kind(6), lengths: vec![length], member: "" });
        let left = vec![format!("{w}.count")];
        self.arrays.push(Array { name: format!("{w}.at"), kind: Kind(6), lengths: left, member: "" });
    }

    fn pointer_to_rows(&mut self) {
        let tables: Vec<Array> = self.arrays.iter().filter(|a| a.lengths.len() == 2).cloned().collect();
        if tables.is_empty() {
            return self.array();
        }
        let table = self.random.pick(&tables).clone();
        let (ty, name, [rows, columns]) = (table.kind.name(), table.name, [&table.lengths[0], &table.lengths[1]]);
        let (r, i, value) = (self.name("p"), self.name("i"), self.expr(2));
        let (row, column) = (self.index(rows, 1), self.index(columns, 1));
        match self.random.below(3) {
            0 => {
                self.line(&format!("{ty} (*{r})[{columns}] = {name};"));
                self.line(&format!("for (int {i} = 0; {i} < {rows}; {i}++) {{ (*{r})[{column}] = {value}; {r}++; }}"));
            }
            1 => {
                self.line(&format!("{ty} (*{r})[{columns}] = {name} + ({row});"));
                self.line(&format!("(*{r})[{column}] = {value};"));
                self.line(&format!("__VERIFIER_assert({r} - {name} < {rows} && *{r} == {name}[{r} - {name}]);"));
            }
            _ => {
                self.line(&format!("{ty} *{r} = {name}[{row}];"));
                self.line(&format!("{r}[{column}] = {value};"));
                self.arrays.push(Array { name: r, kind: table.kind, lengths: vec![columns.clone()], member: "" });
            }
        }
    }

    /// Over an array of structs, and over an array in one of them.
    fn pointer_to_elements(&mut self) {
        let found: Vec<Array> = self.arrays.iter().filter(|a| a.member == ".a").cloned().collect();
        if found.is_empty() {
            return self.structure();
        }
        let array = self.random.pick(&found).clone();
        let (name, length) = (array.name, array.lengths[0].clone());
        let (q, p, a, b) = (self.name("s"), self.name("p"), self.expr(2), self.expr(1));
        let (k, l) = (self.index(&length, 1), self.index("3", 1));
        if self.random.one_in(2) {
            self.line(&format!("for (struct pair *{q} = {name}; {q} < {name} + {length}; {q}++) {{"));
            self.line(&format!("    {q}->a = {a};"));
            self.line(&format!("    {q}->c[{l}] = {q}->a;"));
            self.line("}");
        } else {
            self.line(&format!("struct pair *{q} = {name} + ({k});"));
            self.line(&format!("long *{p} = {q}->c;"));
            self.line(&format!("{p}[{l}] = {a};"));
            self.line(&format!("{p}++;"));
            self.line(&format!("*{p} = {b};"));
            self.line(&format!("__VERIFIER_assert({q}->c[1] == *{p});"));
            self.arrays.push(Array { name: p, kind: Kind(8), lengths: vec!["2".into()], member: "" });
        }
    }

    fn allocated_structs(&mut self) {
        let (s, i, length) = (self.name("s"), self.name("i"), 1 + self.random.below(4));
        let value = self.expr(1);
        self.line(&format!("struct pair *{s} = malloc({length} * sizeof *{s});"));
        self.line(&format!("for (int {i} = 0; {i} < {length}; {i}++) {{"));
        self.line(&format!("    {s}[{i}].a = {value};"));
        self.line(&format!("    {s}[{i}].b = {i};"));
        self.line(&format!("    {s}[{i}].c[0] = {s}[{i}].c[1] = {s}[{i}].c[2] = {i};"));
        self.line("}");
        let lengths = vec![length.to_string()];
        self.arrays.push(Array { name: s.clone(), kind: Kind(6), lengths: lengths.clone(), member: ".a" });
        self.arrays.push(Array { name: s, kind: Kind(8), lengths, member: ".c[1]" });
    }
}
