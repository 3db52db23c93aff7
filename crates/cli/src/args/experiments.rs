//! Experiments and their reports.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::args::number::number_in;

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["spec", "preset", "list"]))]
#[command(after_help = experiment_help())]
pub(crate) struct ExperimentArgs {
    /// The file that says what to measure
    pub(crate) spec: Option<PathBuf>,
    /// Run an experiment that comes with the program
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// List the experiments that come with the program
    #[arg(long)]
    pub(crate) list: bool,
    /// Run a small form of the preset, which takes seconds
    #[arg(long, requires = "preset")]
    pub(crate) quick: bool,
    /// Print the file of the preset, so that you can change it
    #[arg(long, requires = "preset", conflicts_with = "output")]
    pub(crate) print: bool,
    /// The file of results; without it, SPEC with the ending `.jsonl`
    #[arg(short, long, value_name = "RESULTS.jsonl")]
    pub(crate) output: Option<PathBuf>,
    /// How many cells to measure at the same time; one by default, so that they don't disturb each
    /// other
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = number_in(1..=1024_u16))]
    pub(crate) jobs: u16,
}

/// The notes on experiments, with a list of presets.
fn experiment_help() -> String {
    let mut text = EXPERIMENT_HELP.to_owned();
    text.push_str("\n\nPresets:");
    for preset in experiment::PRESETS {
        text.push_str(&format!("\n  {}", preset.name));
    }
    text
}

const EXPERIMENT_HELP: &str = "\
SPEC is a TOML file:

  title = \"Pruning in the 8-puzzle\"
  limits = { time = \"60s\", memory = \"1G\" }      # for each cell; also `nodes`
  [[domain]]
  name = \"8-puzzle\"
  file = \"gen:sliding-tiles:3:3\"                # or a file beside SPEC
  instances = [{ walks = 20, steps = 200, seed = 1 }]
  [[method]]
  name = \"IDA*\"                                 # the baseline of the others
  prune = \"none\"
  [[method]]
  name = \"IDA*, L=14\"
  prune = 14

Instances are `{ walks = N, steps = S }` (random walks from the goal, or `from = \"STATE\"`; steps may be
a list, `undo = true` lets a step lead back), `{ file = \"starts.txt\" }` (or \"gen:korf15\",
\"gen:korf24\": Korf's; with `format = \"scrambles\"` moves from the goal), `{ state = \"...\" }`,
`{ scramble = \"R U2 F'\" }` or `{ goal = true }`.

A method has a `command`: solve (the default), tree, analyze, or openings (games of two players).
All its other keys are options of that command: algorithm, heuristic, prune, split, weight, depth
and so on for solve; depth, prune, invariants and split for tree. A depth may depend on the walk:
\"2*steps\". `domains = [..]` limits the method to these domains. `options.tree = { depth = 9 }` in
a domain gives options to the methods with that command in this domain.

If a file spells values differently from the game, `map = { \"0\" = \"b\" }` in the domain reads 0 as b.

The results file has a line for each cell; lines are only added. Run the same command again to
continue after an interruption. After a change of SPEC, or of a file that it names, unchanged cells
are kept. Methods of a domain share equal preparations (analyses, machines, tables).

Exits with 0 if each cell has a result, even if a limit stopped it.

Examples:
  psvn experiment --list
  psvn experiment --preset table4 --quick
  psvn experiment eight.toml -o eight.jsonl
  psvn report eight.jsonl -o eight.html";

#[derive(Args, Debug)]
#[command(after_help = "\
`-o FILE.html` writes one page with findings, tables and plots, which needs no other file.
`-o FILE.md` writes the same without plots as Markdown, `-o FILE.tex` tables for papers (package
booktabs). `-o FILE.csv` writes one table: coverage, summary, methods, runs, analyses, published,
steps, laws, levels, costs or cells. It has one header row; methods that are columns in the text
have rows of their own. `--format html|md|latex|json|csv` does the same for standard output.

Files with runs of the same experiment are one section: times are means over the runs, and the table
`runs` shows their spread. Means are over the n instances that all compared methods finished. Where
a limit stopped a method on all instances, > and < mark bounds. Generated nodes of depth-first
searches and trees include nodes that are counted without being made one by one.

Examples:
  psvn report results.jsonl
  psvn report results.jsonl --table levels
  psvn report results.jsonl -o report.html
  psvn report results.jsonl --table summary --columns method,nodes -o nodes.tex
  psvn report results.jsonl --plots plots
  psvn report results.jsonl -o cells.csv")]
pub(crate) struct ReportArgs {
    /// Files that `psvn experiment` wrote
    #[arg(required = true, value_name = "RESULTS.jsonl")]
    pub(crate) results: Vec<PathBuf>,
    /// Which table to write as text, CSV, Markdown or LaTeX; without it, all of them, or the cells
    /// as CSV
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// Which columns of the table to write, in their order: names as CSV has them, or titles
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Write to this file instead of standard output, in the form of its ending: html, md, tex,
    /// txt, json or csv
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Also write each plot to this folder, as an SVG file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plots: Option<PathBuf>,
}
