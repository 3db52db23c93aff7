//! The arguments of the commands for setting up a shell.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn completions bash > ~/.local/share/bash-completion/completions/psvn
  psvn completions zsh > ~/.zfunc/_psvn
  psvn completions fish > ~/.config/fish/completions/psvn.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(feature = "lsp")]
#[derive(Args, Debug)]
#[command(after_help = "\
An editor starts this and speaks with it on standard input and output: errors and warnings as one
types, and what `psvn check`, `show` and `fmt` know about the place of the cursor. The book says how
to set up VS Code, Neovim, Helix and Emacs.

Exit status: 0 if the editor ended it by `shutdown` and `exit`, else 1.")]
pub(crate) struct LspArgs {
    /// Standard input and output are used in any case; some editors say so
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

#[cfg(feature = "studio")]
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn studio eight.psvn
  psvn studio gen:topspin:14:3 --no-open

The address is printed; on a terminal, a browser is opened with it. The page shows the text with \
what is wrong in it, the rules, the search tree with the reason why each branch is cut, redundant \
sequences and the machine that forbids them, the state as a board with its moves, and solutions. \
Only programs on this machine reach the page, and only those that know its address: who has it can \
change the file. Nothing is asked of other machines. Ctrl-C ends it.")]
pub(crate) struct StudioArgs {
    /// A PSVN file, or a built-in game such as `gen:topspin:14:3`; without it, an example
    pub(crate) game: Option<PathBuf>,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Don't open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn schema
  psvn schema solve
  psvn schema solve --format json > schema.json

With --format json these are JSON Schemas of draft 2020-12: a list of objects, in which `command` \
names the command and its options, `form` is `whole` or `lines`, and `schema` is the schema.")]
pub(crate) struct SchemaArgs {
    /// The command whose JSON is described; without it, all of them are listed
    pub(crate) command: Option<String>,
}

/// What a shell's script asks.
#[derive(Args, Debug)]
pub(crate) struct CompleteArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: CompletingShell,
    /// The words of the line up to the cursor; for bash, the line and the characters that break
    /// words
    #[arg(last = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

/// The shells whose scripts ask what may stand next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompletingShell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psvn man | man -l -
  psvn man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write one page for each command into this folder instead
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
