//! Reads the text of a certificate. `docs/certificates.md` describes the format.

use crate::costs::entries::Entries;
use crate::costs::estimates::abstraction::Maps;
use crate::costs::estimates::heuristic::{Evidence, Group, Pattern};
use crate::costs::estimates::potential::Potential;
use crate::costs::pruning::letters::{Condition, Piece};
use crate::costs::pruning::machine::Machine;
use crate::costs::pruning::redundancy::Pair;
use crate::costs::pruning::within::Invariant;
use crate::costs::setting::moves::{Rule, Term};
use crate::costs::setting::prepared::Setting;
use crate::costs::shared::Line;
use crate::costs::sums::Weights;
use crate::costs::{Chapter, CostCertificate, Part, Proof};

/// The most digits of a number.
const MOST_DIGITS: usize = 9;

/// A text that isn't a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct UnreadableCertificate {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

type Read<T> = Result<T, UnreadableCertificate>;

/// The lines of a text, counted from 0.
type Lines<'t> = std::iter::Enumerate<std::slice::Split<'t, u8, fn(&u8) -> bool>>;

/// Words of a line.
type Words<'w, 't> = &'w [&'t [u8]];

impl CostCertificate {
    /// Read the text of a certificate.
    ///
    /// # Errors
    /// The first line that isn't as the format wants it.
    pub fn read(text: &[u8]) -> Result<Self, UnreadableCertificate> {
        let mut reader = Reader::new(text);
        let version = reader.line("psvn-certificate", |_, words| Ok(words.to_vec()))?;
        if version.item != [b"1"] {
            return Err(reader.error("expected version 1"));
        }
        let mut certificate = Self {
            setting: reader.setting()?,
            starts: Vec::new(),
            chapters: Vec::new(),
            machines: Vec::new(),
        };
        reader.claims(&mut certificate)?;
        if reader.words != [b"end"] {
            return Err(reader.error("expected `end`, or a line that may stand here"));
        }
        reader.advance();
        if !reader.words.is_empty() {
            return Err(reader.error("something follows `end`"));
        }
        Ok(certificate)
    }
}

/// The words of the current line. Blank lines and comments are skipped; at the end there are none.
struct Reader<'t> {
    lines: Lines<'t>,
    line: usize,
    words: Vec<&'t [u8]>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8]) -> Self {
        let is_break: fn(&u8) -> bool = |byte| *byte == b'\n';
        let mut reader = Self {
            lines: text.split(is_break).enumerate(),
            line: 0,
            words: Vec::new(),
        };
        reader.advance();
        reader
    }

    fn advance(&mut self) {
        self.words.clear();
        for (index, line) in self.lines.by_ref() {
            let words = line.split(|byte| *byte == b' ');
            self.words.extend(words.filter(|word| !word.is_empty()));
            match self.words.first() {
                None => {}
                Some(word) if word[0] == b'#' => self.words.clear(),
                Some(_) => {
                    self.line = index + 1;
                    return;
                }
            }
        }
    }

    fn error(&self, problem: impl Into<String>) -> UnreadableCertificate {
        UnreadableCertificate {
            line: self.line,
            problem: problem.into(),
        }
    }

    /// Read the current line if it begins with the keyword, and go on to the next one.
    fn optional_line<T>(
        &mut self,
        keyword: &str,
        read: impl FnOnce(&Self, &[&'t [u8]]) -> Read<T>,
    ) -> Read<Option<Line<T>>> {
        match self.words.split_first() {
            Some((word, rest)) if *word == keyword.as_bytes() => {
                let (line, item) = (self.line, read(self, rest)?);
                self.advance();
                Ok(Some(Line { line, item }))
            }
            _ => Ok(None),
        }
    }

    fn line<T>(
        &mut self,
        keyword: &str,
        read: impl FnOnce(&Self, &[&'t [u8]]) -> Read<T>,
    ) -> Read<Line<T>> {
        let line = self.optional_line(keyword, read)?;
        line.ok_or_else(|| self.error(format!("expected `{keyword}`")))
    }

    /// All lines that follow with the keyword.
    fn lines<T>(
        &mut self,
        keyword: &str,
        read: impl Fn(&Self, &[&'t [u8]]) -> Read<T>,
    ) -> Read<Vec<Line<T>>> {
        let mut lines = Vec::new();
        while let Some(line) = self.optional_line(keyword, &read)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// Whether the current line is the keyword alone. If so, go on to the next line.
    fn begins_block(&mut self, keyword: &str) -> bool {
        let begins = self.words == [keyword.as_bytes()];
        if begins {
            self.advance();
        }
        begins
    }

    fn number(&self, word: &[u8]) -> Read<u32> {
        let is_number =
            (1..=MOST_DIGITS).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
        if !is_number {
            let word = String::from_utf8_lossy(word);
            return Err(self.error(format!("not a number up to 999999999: {word}")));
        }
        let digits = word.iter().map(|digit| u32::from(digit - b'0'));
        Ok(digits.fold(0, |number, digit| 10 * number + digit))
    }

    fn numbers(&self, words: &[&[u8]]) -> Read<Vec<u32>> {
        words.iter().map(|word| self.number(word)).collect()
    }

    /// A number that counts from 1, as one that counts from 0.
    fn ordinal(&self, word: &[u8]) -> Read<usize> {
        let number = self.number(word)?.checked_sub(1);
        Ok(number.ok_or_else(|| self.error("expected a number from 1 on"))? as usize)
    }

    /// A state: numbers, or one word of digits and letters after an apostrophe.
    fn values(&self, words: &[&[u8]]) -> Read<Vec<u32>> {
        match words {
            [[b'\'', letters @ ..]] => letters.iter().map(|it| self.letter(*it)).collect(),
            words => self.numbers(words),
        }
    }

    fn letter(&self, letter: u8) -> Read<u32> {
        match letter {
            b'0'..=b'9' => Ok(u32::from(letter - b'0')),
            b'a'..=b'z' => Ok(u32::from(letter - b'a') + 10),
            _ => Err(self.error("not a word of digits and small letters")),
        }
    }

    /// The words before and after the first one that is `separator`.
    fn halves<'w>(
        &self,
        words: &'w [&'t [u8]],
        separator: &str,
    ) -> Read<(Words<'w, 't>, Words<'w, 't>)> {
        let at = words.iter().position(|word| *word == separator.as_bytes());
        let at = at.ok_or_else(|| self.error(format!("expected `{separator}`")))?;
        Ok((&words[..at], &words[at + 1..]))
    }

    /// A vector, where `-` stands for the unknown of its own position.
    fn vector(&self, words: &[&[u8]]) -> Read<Vec<Term>> {
        let term = |(position, word): (usize, &&[u8])| {
            Ok(match word {
                [b'-'] => Term::Unknown(position),
                [b'x', number @ ..] => Term::Unknown(self.ordinal(number)?),
                word => Term::Value(self.number(word)?),
            })
        };
        words.iter().enumerate().map(term).collect()
    }

    fn setting(&mut self) -> Read<Setting> {
        let rule = |reader: &Self, words: &[&'t [u8]]| {
            let (cost, words) = reader.halves(words, ":")?;
            let (preconditions, actions) = reader.halves(words, "=>")?;
            let [cost] = cost else {
                return Err(reader.error("expected one number before `:`"));
            };
            Ok(Rule {
                cost: reader.number(cost)?.into(),
                preconditions: reader.vector(preconditions)?,
                actions: reader.vector(actions)?,
            })
        };
        Ok(Setting {
            domains: self.line("domains", Self::numbers)?.item,
            rules: self.lines("rule", rule)?,
            goals: self.lines("goal", Self::vector)?,
        })
    }

    /// Starts, each with at least one claim about it.
    fn claims(&mut self, certificate: &mut CostCertificate) -> Read<()> {
        let begins = |reader: &Self, word: &[u8]| reader.words.first() == Some(&word);
        loop {
            let start = self.line("start", Self::values)?;
            certificate.starts.push(start);
            loop {
                self.claim(certificate)?;
                if !begins(self, b"claim") {
                    break;
                }
            }
            if !begins(self, b"start") {
                return Ok(());
            }
        }
    }

    /// A claim with its proof. One with a heuristic of its own begins a chapter, as the first one
    /// does.
    fn claim(&mut self, certificate: &mut CostCertificate) -> Read<()> {
        let CostCertificate {
            setting,
            starts,
            chapters,
            machines,
        } = certificate;
        let (evidence, Line { line, item: proof }) = self.part(setting, machines)?;
        let start = starts.len() - 1;
        let part = Part { line, start, proof };
        match (evidence, chapters.last_mut()) {
            (None, Some(chapter)) => chapter.parts.push(part),
            (evidence, _) => chapters.push(Chapter {
                evidence: evidence.unwrap_or_default(),
                parts: vec![part],
            }),
        }
        Ok(())
    }

    /// A claim with its proof, and the heuristic that comes with it.
    fn part(
        &mut self,
        setting: &Setting,
        machines: &mut Vec<Line<Machine>>,
    ) -> Read<(Option<Evidence>, Line<Proof>)> {
        let mut evidence = None;
        let n = setting.domains.len();
        let claim = self.line("claim", |_, words| Ok(words.to_vec()))?;
        let proof = match claim.item[..] {
            [b"plan", cost] => Proof::Plan {
                cost: self.number(cost)?.into(),
                moves: self.plan()?,
            },
            [b"bound", bound, b"by", b"list"] => Proof::ClosedList {
                bound: self.number(bound)?.into(),
                closed: {
                    evidence = self.evidence(setting)?;
                    self.closed(n, setting)?
                },
            },
            [b"bound", bound, b"by", b"search"] => Proof::Search {
                bound: self.number(bound)?.into(),
                machine: {
                    evidence = self.evidence(setting)?;
                    self.search_machine(setting, claim.line, machines)?
                },
            },
            [b"everywhere", bound, b"by", b"list"] => Proof::Everywhere {
                bound: self.number(bound)?.into(),
                listed: self.closed(n, setting)?,
            },
            [b"none", b"by", b"list"] => {
                let maps = self.maps(setting)?;
                Proof::Exhausted {
                    listed: self.closed(n_kept(&maps), setting)?,
                    maps,
                }
            }
            [b"none", b"by", b"sums", modulus] => Proof::Sums {
                modulus: self.number(modulus)?.into(),
                weights: self.weights(n)?,
            },
            [b"machine"] => Proof::Machine(self.machine(setting)?),
            _ => {
                return Err(UnreadableCertificate {
                    line: claim.line,
                    problem: "unknown claim".to_owned(),
                });
            }
        };
        let line = claim.line;
        Ok((evidence, Line { line, item: proof }))
    }

    fn plan(&mut self) -> Read<Vec<usize>> {
        let ordinals = |reader: &Self, words: &[&'t [u8]]| -> Read<Vec<usize>> {
            words.iter().map(|word| reader.ordinal(word)).collect()
        };
        let lines = self.lines("moves", ordinals)?;
        Ok(lines.into_iter().flat_map(|line| line.item).collect())
    }

    fn closed(&mut self, width: usize, setting: &Setting) -> Read<Entries> {
        self.line("closed", |_, _| Ok(()))?;
        self.entries(width, setting)
    }

    /// A heuristic, unless it is that of the claim before.
    fn evidence(&mut self, setting: &Setting) -> Read<Option<Evidence>> {
        if self.words == [&b"heuristic"[..], b"as", b"before"] {
            self.advance();
            return Ok(None);
        }
        let groups = self.groups(setting)?;
        let potentials = self.weighed("potential", setting.domains.len())?;
        let potential = |Line { line, item }: Line<(u64, Weights)>| Potential {
            line,
            base: item.0,
            weights: item.1,
        };
        Ok(Some(Evidence {
            groups,
            potentials: potentials.into_iter().map(potential).collect(),
        }))
    }

    /// Blocks of a keyword and a number, with lines of weights for `n` variables.
    fn weighed(&mut self, keyword: &str, n: usize) -> Read<Vec<Line<(u64, Weights)>>> {
        let mut blocks = Vec::new();
        while let [word, number] = self.words[..]
            && word == keyword.as_bytes()
        {
            let (line, number) = (self.line, self.number(number)?);
            self.advance();
            blocks.push(Line {
                line,
                item: (number.into(), self.weights(n)?),
            });
        }
        Ok(blocks)
    }

    fn weights(&mut self, n: usize) -> Read<Weights> {
        let mut weights = vec![Vec::new(); n];
        for line in self.settings("weigh", n)? {
            let (positions, numbers) = line.item;
            for position in positions {
                weights[position].clone_from(&numbers);
            }
        }
        Ok(weights)
    }

    /// The number of the machine of a search, which is that of the search before or stands here.
    fn search_machine(
        &mut self,
        setting: &Setting,
        line: usize,
        machines: &mut Vec<Line<Machine>>,
    ) -> Read<usize> {
        if self.words == [&b"machine"[..], b"as", b"before"] {
            let before = machines.len().checked_sub(1);
            let before = before.ok_or_else(|| self.error("no machine comes before"))?;
            self.advance();
            return Ok(before);
        }
        let item = self.machine(setting)?;
        machines.push(Line { line, item });
        Ok(machines.len() - 1)
    }

    fn machine(&mut self, setting: &Setting) -> Read<Machine> {
        let invariants = self.weighed("invariant", setting.domains.len())?;
        let invariant = |Line { line, item }: Line<(u64, Weights)>| Line {
            line,
            item: Invariant {
                sum: item.0,
                weights: item.1,
            },
        };
        let rules = |reader: &Self, words: &[&'t [u8]]| -> Read<Vec<u32>> {
            let rule = |word: &&[u8]| Ok(reader.ordinal(word)? as u32);
            words.iter().map(rule).collect()
        };
        let pieces = self.lines("part", |reader, words| reader.piece(words, setting))?;
        let pairs = self.lines("word", |reader, words| {
            let (word, replacement) = reader.halves(words, "=")?;
            Ok(Pair {
                word: rules(reader, word)?,
                replacement: rules(reader, replacement)?,
            })
        })?;
        let rows = self.lines("state", Self::numbers)?;
        Ok(Machine {
            invariants: invariants.into_iter().map(invariant).collect(),
            pieces,
            pairs,
            rows: rows.into_iter().map(|line| line.item).collect(),
        })
    }

    /// A part of a rule: its number, and the values of variables.
    fn piece(&self, words: &[&'t [u8]], setting: &Setting) -> Read<Piece> {
        let (rule, conditions) = words
            .split_first()
            .ok_or_else(|| self.error("expected the number of a rule"))?;
        let condition = |word: &&'t [u8]| -> Read<Condition> {
            let sides: Vec<&[u8]> = word.split(|byte| *byte == b'=').collect();
            let [variable, value] = sides[..] else {
                return Err(self.error("expected a variable = a value, without spaces"));
            };
            Ok(Condition {
                variable: self.ordinal(variable)?,
                value: self.number(value)?,
            })
        };
        let conditions: Vec<Condition> = conditions.iter().map(condition).collect::<Read<_>>()?;
        let values: Vec<u32> = conditions.iter().map(|it| it.value).collect();
        self.check_values(&values, setting)?;
        Ok(Piece {
            rule: self.ordinal(rule)?,
            conditions,
        })
    }

    fn groups(&mut self, setting: &Setting) -> Read<Vec<Group>> {
        let payers = |reader: &Self, words: &[&'t [u8]]| -> Read<Vec<Option<usize>>> {
            let payer = |word: &&[u8]| match **word {
                [b'0'] => Ok(None),
                ref word => reader.ordinal(word).map(Some),
            };
            words.iter().map(payer).collect()
        };
        let mut groups = Vec::new();
        loop {
            let line = self.line;
            if !self.begins_block("group") {
                return Ok(groups);
            }
            let payers = self.lines("payers", payers)?;
            let mut patterns = Vec::new();
            while self.begins_block("table") {
                patterns.push(self.pattern(setting)?);
            }
            groups.push(Group {
                line,
                payers: payers.into_iter().flat_map(|line| line.item).collect(),
                patterns,
            });
        }
    }

    fn pattern(&mut self, setting: &Setting) -> Read<Pattern> {
        let maps = self.maps(setting)?;
        let full = |rule: &Line<Rule>| vec![rule.item.cost];
        let mut charges: Vec<_> = setting.rules.iter().map(full).collect();
        for line in self.settings("charge", charges.len())? {
            let (rules, numbers) = line.item;
            for rule in rules {
                charges[rule] = numbers.iter().map(|number| u64::from(*number)).collect();
            }
        }
        Ok(Pattern {
            estimates: self.entries(n_kept(&maps), setting)?,
            maps,
            charges,
        })
    }

    /// A state or a map may have the values of some variable, no others: the verified checker packs
    /// them into numbers that have room for these.
    fn check_values(&self, values: &[u32], setting: &Setting) -> Read<()> {
        let most = setting.domains.iter().copied().max().unwrap_or(0);
        match values.iter().find(|value| **value >= most) {
            Some(value) => Err(self.error(format!("no variable has the value {value}"))),
            None => Ok(()),
        }
    }

    /// The maps of all variables, of which those without a line are left out.
    fn maps(&mut self, setting: &Setting) -> Read<Maps> {
        let n = setting.domains.len();
        let mut maps = vec![None; n];
        for Line { line, item } in self.settings("keep", n)? {
            let (positions, map) = item;
            self.check_values(&map, setting)
                .map_err(|error| UnreadableCertificate { line, ..error })?;
            for position in positions {
                maps[position] = Some(map.clone());
            }
        }
        Ok(maps)
    }

    /// Lines of positions among `n`, counted from 1, or `all`; and after `:` numbers for them.
    #[expect(clippy::type_complexity, reason = "two lists")]
    fn settings(&mut self, keyword: &str, n: usize) -> Read<Vec<Line<(Vec<usize>, Vec<u32>)>>> {
        self.lines(keyword, |reader, words| {
            let (positions, numbers) = reader.halves(words, ":")?;
            let position = |word: &&[u8]| {
                let position = reader.ordinal(word)?;
                let error = || reader.error(format!("expected a number up to {n}"));
                (position < n).then_some(position).ok_or_else(error)
            };
            let positions = match positions {
                [b"all"] => (0..n).collect(),
                words => words.iter().map(position).collect::<Read<_>>()?,
            };
            Ok((positions, reader.numbers(numbers)?))
        })
    }

    /// Lines of a number and a state. A line may leave out the last values, if they are those of
    /// the line before.
    fn entries(&mut self, width: usize, setting: &Setting) -> Read<Entries> {
        let mut entries = Entries::of_width(width);
        while let Some((number, words)) = self.words.split_first() {
            if !number[0].is_ascii_digit() {
                break;
            }
            let given = self.values(words)?;
            let may_be_short = entries.len() > 0 && given.len() < width;
            if given.len() != width && !may_be_short {
                return Err(self.error(format!("expected {width} values")));
            }
            self.check_values(&given, setting)?;
            entries.push(&given, self.number(number)?, self.line);
            if !entries.ascends() {
                return Err(self.error("the entries don't ascend, by the last value first"));
            }
            self.advance();
        }
        Ok(entries)
    }
}

fn n_kept(maps: &Maps) -> usize {
    maps.iter().flatten().count()
}
