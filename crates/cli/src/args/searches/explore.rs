//! The arguments of `psvn explore`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use psvn::text::units::{parse_bytes, parse_duration};

#[cfg(feature = "cluster")]
use crate::args::ClusterArgs;
use crate::args::number::number;
use crate::args::shared::{FILE_HELP, VariationArgs, WordArgs};

#[derive(Args, Debug)]
#[command(after_help = "\
Visits all states, layer by layer. It runs backward from the goals, or forward with --start or
--scramble, or if the game declares a start. Each layer is printed when it is complete, and stays
valid if a limit stops the exploration. With --start and --goal it finds how far any of the states
that match the one pattern is from any that matches the other.

With --disk the layers are files in a folder, for spaces larger than the memory. The same command
continues where it was stopped, even by a crash.

With --processes, several processes on this machine explore together. With --hosts, the processes
run on several machines; start each of them there with its number. All must know the same secret,
from --secret-file or the variable PSVN_SECRET. The same command continues from the last complete
layer.

Exits with 4 if a limit is reached before the last layer.

Examples:
  psvn explore gen:sliding-tiles:3:3
  psvn explore gen:rubik:2:fixed --farthest 5
  psvn explore gen:sliding-tiles:3:3 --certificate greatest.cert
  psvn explore gen:rubik:3 --depth 5
  psvn explore gen:rubik:3 --depth 5 --symmetries
  psvn explore gen:pancake:9 -o pancakes.svg
  psvn explore gen:topspin:11:4 --start '1 0 2 3 4 5 6 7 8 9 10' --format csv
  psvn explore gen:sliding-tiles:2:3 --start '0 - - - - -' --goal '- - - - - 0'
  psvn explore gen:rubik:3 --scramble \"F2 B2 L2 R2 U2 D2\" --depth 4
  psvn explore gen:hanoi:4:12 --disk layers --memory 500M
  psvn explore gen:sliding-tiles:4:4 --depth 25 --processes 4
  psvn explore gen:sliding-tiles:4:4 --hosts hosts.txt --process 0 \\
      --secret-file secret")]
pub(crate) struct ExploreArgs {
    #[arg(help = FILE_HELP)]
    pub(crate) file: PathBuf,
    /// A state to begin with: values separated by white space, with `-` for any; may be given more
    /// than once. With --goal, also count the goals at each distance, up to the first ones or to
    /// --depth
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) start: Vec<String>,
    /// A state to begin with, as moves from the goal: labels, such as "R U2 F'"
    #[arg(long, value_name = "MOVES")]
    pub(crate) scramble: Vec<String>,
    #[command(flatten)]
    pub(crate) variation: VariationArgs,
    #[command(flatten)]
    pub(crate) words: WordArgs,
    /// The last distance to complete
    #[arg(short, long, value_name = "D", value_parser = number::<u64>)]
    pub(crate) depth: Option<u64>,
    /// Store and expand one state for all its images under the symmetries of the game, and also
    /// count these orbits
    #[arg(long)]
    #[cfg_attr(feature = "cluster", arg(conflicts_with_all = ["processes", "hosts"]))]
    pub(crate) symmetries: bool,
    /// How many states of the last layer to print
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<usize>)]
    pub(crate) farthest: usize,
    /// How states are stored
    #[arg(long, value_name = "HOW", value_enum, default_value_t = StorageChoice::Auto)]
    #[cfg_attr(feature = "cluster", arg(conflicts_with_all = ["processes", "hosts"]))]
    pub(crate) storage: StorageChoice,
    /// Store states in sorted files in this folder, and continue from the layers in it. Without it,
    /// several processes use a folder in the cache, and remove it at the end
    #[arg(long, value_name = "FOLDER", conflicts_with = "storage")]
    pub(crate) disk: Option<PathBuf>,
    /// Write a plot of the states by distance to this file
    #[arg(short, long, value_name = "FILE.svg")]
    pub(crate) output: Option<PathBuf>,
    /// Prove how far from the goals a state can be: write a certificate that one has this least
    /// cost, and that none of those it leads to has a greater one. It takes much more memory
    #[arg(long, value_name = "FILE", conflicts_with_all = ["start", "scramble", "depth"])]
    pub(crate) certificate: Option<PathBuf>,
    /// Stop after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after this number of generated states
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) nodes: Option<u64>,
    /// The memory for states, such as 500M or 2G. Without it, three quarters of what is free, or 1G
    /// with --disk and for each of several processes
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<usize>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

/// How states are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StorageChoice {
    /// In memory, and by rank once many states are found
    #[default]
    Auto,
    /// Two bits for each rank
    Ranked,
    /// Packed states in memory
    Memory,
}
