//! The scripts that shells run to complete a command line.

use clap_complete::Shell;

/// The script of a shell that asks this program; `None` where a shell has none.
pub(crate) fn script(shell: Shell) -> Option<&'static str> {
    match shell {
        Shell::Bash => Some(BASH),
        Shell::Fish => Some(FISH),
        Shell::Zsh => Some(ZSH),
        _ => None,
    }
}

const BASH: &str = r#"# Completion of psvn for bash.
_psvn() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <("$1" complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
    # What goes on has no blank behind it.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/:=,] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _psvn psvn
"#;

const ZSH: &str = r#"#compdef psvn
# Completion of psvn for zsh.
_psvn() {
    local text about
    local -a ended goes_on ended_about goes_on_about
    while IFS=$'\t' read -r text about; do
        if [[ $text == *[/:=,] ]]; then
            goes_on+=("$text")
            goes_on_about+=("$text${about:+  -- $about}")
        else
            ended+=("$text")
            ended_about+=("$text${about:+  -- $about}")
        fi
    done < <("${words[1]}" complete zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    compadd -l -d ended_about -- "${ended[@]}"
    compadd -S '' -l -d goes_on_about -- "${goes_on[@]}"
}
if [[ $funcstack[1] == _psvn ]]; then
    _psvn "$@"
else
    compdef _psvn psvn
fi
"#;

const FISH: &str = r#"# Completion of psvn for fish.
function __psvn_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] complete fish -- $words[2..-1] "$current" 2>/dev/null
end
complete -c psvn -f -a '(__psvn_complete)'
"#;
