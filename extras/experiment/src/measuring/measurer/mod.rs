//! Measures cells by the same code as `psvn solve`, `tree` and `analyze`.

mod analyses;
mod domains;
mod measured;
mod searches;
mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::{Domain, DomainFacts, Group, Instance, Limits, Measure, Runner, Step, Wrong};
use invariants::Invariants;
use psvn_ir::State;
use search::CompiledGame;
use sha2::{Digest, Sha256};

use self::measured::{in_words, message_and_hint};
use self::trees::setting_of_tree;
use super::method::{self, Work};
use psvn::solve::Shared;
use psvn::store::read;
use psvn::{Environment, Error, ErrorKind, Game};

/// Measures the cells of an experiment with this library.
pub(super) struct Measurer<'c> {
    env: &'c Environment,
    /// The folder of the experiment's file.
    base: PathBuf,
    /// The domains in the order of the experiment; `None` for those that can't be read.
    domains: Vec<Option<LoadedDomain>>,
    /// Hashes of the contents of files that methods name.
    hashes: BTreeMap<PathBuf, String>,
}

struct LoadedDomain {
    named: Game,
    starts: Vec<State>,
    /// Preparations that several methods share.
    shared: Shared,
}

impl<'c> Measurer<'c> {
    /// Measure in the surroundings `env`, which should have no cache: what earlier runs left there
    /// may change both times and numbers of nodes. Files that the experiment names lie in the
    /// folder `base`.
    pub(super) fn new(env: &'c Environment, base: PathBuf) -> Self {
        Self {
            env,
            base,
            domains: Vec::new(),
            hashes: BTreeMap::new(),
        }
    }

    /// The method of a group of cells.
    fn method(&self, group: &Group<'_>) -> Result<Work, Vec<Wrong>> {
        Work::read(group).map_err(|errors| {
            let errors = errors.iter();
            errors
                .map(|(option, error)| self.wrong(option.as_deref(), error))
                .collect()
        })
    }

    /// An error as a mistake in the specification: in a field of the domain or the method, if it is
    /// about one.
    fn wrong(&self, field: Option<&str>, error: &Error) -> Wrong {
        let (message, hint) = message_and_hint(error, self.env.terms());
        let wrong = match field {
            Some(field) => Wrong::at(field, message),
            None => Wrong::new(message),
        };
        wrong.with_hint(hint)
    }

    /// The hash of a file's content, computed once. If the file is missing, none of the method's
    /// cells can be run.
    fn hash_of(&mut self, path: &Path) -> Result<String, String> {
        if let Some(hash) = self.hashes.get(path) {
            return Ok(hash.clone());
        }
        let hash = match content_hash(path) {
            Ok(hash) => hash,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok("no file".to_owned());
            }
            Err(error) => {
                return Err(format!(
                    "can't read `{}`: {}",
                    path.display(),
                    read::reason(&error)
                ));
            }
        };
        self.hashes.insert(path.to_owned(), hash.clone());
        Ok(hash)
    }
}

impl Runner for Measurer<'_> {
    fn domain(&mut self, domain: &Domain, limits: &Limits) -> Result<DomainFacts, Vec<Wrong>> {
        let named = |wrong: Wrong| Wrong {
            message: format!("domain `{}`: {}", domain.name, wrong.message),
            ..wrong
        };
        let game = match self.load(domain, limits) {
            Ok(game) => game,
            Err(error) => {
                let field = match domain.goal {
                    Some(_) if error.kind() == ErrorKind::Usage => "goal",
                    _ => "file",
                };
                // The next domains have the places after it.
                self.domains.push(None);
                return Err(vec![named(self.wrong(Some(field), &error))]);
            }
        };
        let compiled = CompiledGame::new(game.ir());
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for (place, source) in domain.instances.iter().enumerate() {
            match self.instances(source, &game, &compiled) {
                Ok(instances) => found.extend(instances),
                Err((field, error)) => {
                    let mut wrong = self.wrong(Some("instances"), &error);
                    wrong.path.push(Step::Element(place));
                    wrong.path.push(Step::Field(field.to_owned()));
                    errors.push(named(wrong));
                }
            }
        }
        if !errors.is_empty() {
            self.domains.push(None);
            return Err(errors);
        }
        let named = game;
        let mut ids = BTreeSet::new();
        for (instance, _) in &mut found {
            let id = instance.id.clone();
            let mut number = 1;
            while !ids.insert(instance.id.clone()) {
                number += 1;
                instance.id = format!("{id}#{number}");
            }
        }
        let (instances, starts): (Vec<Instance>, Vec<State>) = found.into_iter().unzip();
        let game = named.ir();
        let goals = game
            .goals()
            .iter()
            .map(|goal| game.format_terms(goal.conditions()));
        let known = match starts.as_slice() {
            [] => Vec::new(),
            // Pruning may depend on them.
            starts => Invariants::from_states(game, starts).to_lines(game),
        };
        let facts = DomainFacts {
            game_hash: game.content_hash().to_string(),
            identity: goals.chain(known).collect::<Vec<String>>().join("\n"),
            instances,
        };
        self.domains.push(Some(LoadedDomain {
            named,
            starts,
            shared: Shared::default(),
        }));
        Ok(facts)
    }

    fn takes_instances(&self, command: &str) -> Result<bool, String> {
        method::takes_instances(command)
    }

    fn check(&mut self, group: &Group<'_>) -> Result<Vec<String>, Vec<Wrong>> {
        let method = self.method(group)?;
        let domain = self.domains.get(group.domain_place);
        let shared = domain.and_then(Option::as_ref).map(|domain| &domain.shared);
        match &method {
            Work::Solve { options, .. } => {
                let settings = options.check().and_then(|()| {
                    let pruning = options.pruning_setting()?;
                    Ok((pruning, options.heuristic_setting(self.env)?))
                });
                let (pruning, heuristic) =
                    settings.map_err(|error| vec![self.wrong(None, &error)])?;
                if let Some(shared) = shared {
                    shared.prunings.plan(pruning);
                    shared.heuristics.plan(heuristic);
                }
            }
            Work::Tree(options) => {
                if let Some(shared) = shared {
                    shared.prunings.plan(setting_of_tree(options));
                }
            }
            Work::Analyze(_) | Work::Openings(_) => {}
        }
        // The contents of files that options name are part of a cell's definition: files whose name
        // is the value of an option, and files in a value that names several, such as
        // `a.pdb+b.pdb`.
        let values = group.options.values().flatten().map(PathBuf::from);
        let mut paths: Vec<PathBuf> = values.filter(|path| path.is_file()).collect();
        for path in method.files() {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let hashes: Result<_, String> = paths.iter().map(|path| self.hash_of(path)).collect();
        hashes.map_err(|message| vec![Wrong::new(message)])
    }

    fn with_group(
        &mut self,
        group: &Group<'_>,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), String> {
        // Domains are measured one after the other: preparations for the others are no longer
        // needed.
        for (place, domain) in self.domains.iter().enumerate() {
            if let Some(domain) = domain
                && place != group.domain_place
            {
                domain.shared.clear();
            }
        }
        let domain = self.domains[group.domain_place]
            .as_ref()
            .expect("only what could be read is measured");
        let method = self.method(group).expect("its options were checked");
        match method {
            Work::Solve {
                options,
                search_anyway,
            } => self.solve(&options, search_anyway, domain, body),
            Work::Tree(args) => self.tree(&args, domain, body),
            Work::Analyze(pruning) => self.analyze(&pruning, domain, body),
            Work::Openings(args) => self.openings(&args, domain, body),
        }
        .map_err(|error| in_words(&error, self.env.terms()))
    }
}

/// SHA-256 of a file's content. Tables may be larger than the memory, so the file is read piece by
/// piece.
fn content_hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => hasher.update(&buffer[..n]),
        }
    }
    Ok(format!("{:?}", hasher.finalize()))
}
