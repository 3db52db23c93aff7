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

use experiment::{Domain, DomainFacts, Group, Instance, Measure, Runner};
use invariants::Invariants;
use psvn_ir::State;
use search::CompiledGame;
use sha2::{Digest, Sha256};

use self::measured::in_words;
use self::trees::setting_of_tree;
use super::method::Method;
use crate::environment::Environment;
use crate::game::Game;
use crate::solve::Shared;
use crate::store::read;

/// Measures the cells of an experiment with this library.
pub struct Measurer<'c> {
    env: &'c Environment,
    /// The folder of the experiment's file.
    base: PathBuf,
    /// The domains in the order of the experiment.
    domains: Vec<LoadedDomain>,
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
    /// Measure in the surroundings `env`. Files that the experiment names lie in the folder `base`.
    pub fn new(env: &'c Environment, base: PathBuf) -> Self {
        Self {
            env,
            base,
            domains: Vec::new(),
            hashes: BTreeMap::new(),
        }
    }

    /// The method of a group of cells.
    fn method(&self, group: &Group<'_>) -> Result<Method, String> {
        Method::read(group).map_err(|error| in_words(&error, self.env.terms()))
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
    fn domain(&mut self, domain: &Domain) -> Result<DomainFacts, String> {
        let explain = |message: String| format!("domain `{}`: {message}", domain.name);
        let named = self
            .load(domain)
            .map_err(|error| explain(in_words(&error, self.env.terms())))?;
        let compiled = CompiledGame::new(named.ir());
        let mut found = Vec::new();
        for source in &domain.instances {
            found.extend(self.instances(source, &named, &compiled).map_err(explain)?);
        }
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
        self.domains.push(LoadedDomain {
            named,
            starts,
            shared: Shared::default(),
        });
        Ok(facts)
    }

    fn takes_instances(&self, command: &str) -> Result<bool, String> {
        super::method::takes_instances(command)
    }

    fn check(&mut self, group: &Group<'_>) -> Result<Vec<String>, String> {
        let method = self.method(group)?;
        let shared = self
            .domains
            .get(group.domain_place)
            .map(|domain| &domain.shared);
        match &method {
            Method::Solve { options, .. } => {
                options
                    .check()
                    .map_err(|error| in_words(&error, self.env.terms()))?;
                let pruning = options
                    .pruning_setting()
                    .map_err(|error| in_words(&error, self.env.terms()))?;
                let heuristic = options
                    .heuristic_setting(self.env)
                    .map_err(|error| in_words(&error, self.env.terms()))?;
                if let Some(shared) = shared {
                    shared.prunings.plan(pruning);
                    shared.heuristics.plan(heuristic);
                }
            }
            Method::Tree(options) => {
                if let Some(shared) = shared {
                    shared.prunings.plan(setting_of_tree(options));
                }
            }
            Method::Analyze(_) | Method::Openings(_) => {}
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
        paths.iter().map(|path| self.hash_of(path)).collect()
    }

    fn with_group(
        &mut self,
        group: &Group<'_>,
        body: &mut dyn FnMut(&Measure<'_>),
    ) -> Result<(), String> {
        // Domains are measured one after the other: preparations for the others are no longer
        // needed.
        for (place, domain) in self.domains.iter().enumerate() {
            if place != group.domain_place {
                domain.shared.clear();
            }
        }
        let domain = &self.domains[group.domain_place];
        match self.method(group)? {
            Method::Solve {
                options,
                search_anyway,
            } => self.solve(&options, search_anyway, domain, body),
            Method::Tree(args) => self.tree(&args, domain, body),
            Method::Analyze(pruning) => self.analyze(&pruning, domain, body),
            Method::Openings(args) => self.openings(&args, domain, body),
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
