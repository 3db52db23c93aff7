//! The fields of a specification, and what they take.

/// The fields of a kind of table.
pub(super) struct Schema {
    pub(super) fields: &'static [Field],
    /// Whether the table may have further fields: the options of a method.
    pub(super) is_open: bool,
}

/// A field of a table.
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_needed: bool,
}

/// What a field takes.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    /// A whole number up to a greatest one.
    Count(u64),
    Number,
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
    Texts,
    /// Numbers of steps.
    Lengths,
    /// The value of an option.
    Value,
    /// Names with texts.
    Map,
    /// Options with their values, by command.
    Options,
    Table(&'static Schema),
    /// An array of tables, each of which begins with its name in double brackets.
    Tables(&'static Schema),
    Sources,
}

impl Kind {
    /// What it takes, in words.
    pub(super) fn in_words(self) -> String {
        match self {
            Kind::Text => "a text in quotation marks".to_owned(),
            Kind::Count(_) => "a whole number from 0 on".to_owned(),
            Kind::Number => "a number".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Texts => "a list of texts, such as [\"one\", \"two\"]".to_owned(),
            Kind::Lengths => "a whole number from 0 on, or a list of such numbers".to_owned(),
            Kind::Value => "a text, a number, true or false, or a list of them".to_owned(),
            Kind::Map => "names with texts, such as { \"0\" = \"b\" }".to_owned(),
            Kind::Options => "options by command, such as { tree = { depth = 9 } }".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
            Kind::Tables(_) => "tables with names in double brackets".to_owned(),
            Kind::Sources => "a list of tables, such as [{ walks = 20, steps = 50 }]".to_owned(),
        }
    }
}

impl Schema {
    /// The field of a name.
    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The greatest number that TOML has.
const MOST: u64 = i64::MAX as u64;

const fn field(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        is_needed: false,
    }
}

const fn needed(name: &'static str, kind: Kind) -> Field {
    Field {
        is_needed: true,
        ..field(name, kind)
    }
}

const fn closed(fields: &'static [Field]) -> Schema {
    Schema {
        fields,
        is_open: false,
    }
}

/// A whole specification.
pub(super) const SPEC: &Schema = &closed(&[
    needed("title", Kind::Text),
    field("description", Kind::Text),
    field("limits", Kind::Table(LIMITS)),
    field("warmup", Kind::Count(u32::MAX as u64)),
    field("domain", Kind::Tables(DOMAIN)),
    field("method", Kind::Tables(METHOD)),
    field("published", Kind::Tables(PUBLISHED)),
]);

const LIMITS: &Schema = &closed(&[
    field("time", Kind::Text),
    field("nodes", Kind::Count(MOST)),
    field("memory", Kind::Text),
]);

const DOMAIN: &Schema = &closed(&[
    needed("name", Kind::Text),
    needed("file", Kind::Text),
    field("goal", Kind::Text),
    field("map", Kind::Map),
    field("instances", Kind::Sources),
    field("options", Kind::Options),
]);

pub(super) const SOURCE: &Schema = &closed(&[
    field("state", Kind::Text),
    field("scramble", Kind::Text),
    field("id", Kind::Text),
    field("cost", Kind::Count(MOST)),
    field("goal", Kind::Flag),
    field("file", Kind::Text),
    field("format", Kind::Text),
    field("first", Kind::Count(MOST)),
    field("walks", Kind::Count(MOST)),
    field("steps", Kind::Lengths),
    field("seed", Kind::Count(MOST)),
    field("from", Kind::Text),
    field("undo", Kind::Flag),
]);

const METHOD: &Schema = &Schema {
    fields: &[
        needed("name", Kind::Text),
        field("command", Kind::Text),
        field("domains", Kind::Texts),
    ],
    is_open: true,
};

const PUBLISHED: &Schema = &closed(&[
    needed("domain", Kind::Text),
    needed("method", Kind::Text),
    field("steps", Kind::Count(MOST)),
    needed("measure", Kind::Word(MEASURES)),
    field("value", Kind::Number),
    field("note", Kind::Text),
    field("source", Kind::Text),
]);

const MEASURES: &[&str] = &[
    "generated",
    "states",
    "length",
    "failed",
    "words",
    "trie-states",
    "branching-factor",
];
