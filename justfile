# The habits of this project. `just` lists them.

# List the recipes.
default:
    @just --list

# Everything that .ci/run checks.
ci:
    .ci/run

# Format, clippy and docs, without running anything.
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# The tests.
test:
    cargo test --locked

# The tests, and those that take minutes and gigabytes.
test-all:
    cargo test --locked --release -- --include-ignored

# All benches, or one: `just bench tree`.
bench name="":
    cargo bench {{ if name == "" { "" } else { "--bench " + name } }}

# Format all code.
fmt:
    cargo fmt --all

# Build the documentation of all crates and open it.
docs:
    cargo doc --workspace --no-deps --locked --open

# Write new snapshots; look at the difference before you commit it.
snapshots:
    INSTA_UPDATE=always cargo test --locked
    git diff --stat -- '*.snap'

# Check the report page, the book and the studio in Chromium.
browser:
    mdbook build docs/book
    tools/browser/check.py target/debug/psvn target/book
    tools/browser/studio.py target/debug/psvn studio --no-open

# Build the page of the studio from its sources.
studio:
    tools/studio/build

# Run the commands of the README again and put in what they print.
readme:
    PSVN_UPDATE_README=1 cargo test --locked -p cli --test cli readme
    git diff --stat -- README.md

# Make the archive and the wheel of a release, and use them as one without Rust does.
release:
    tools/release/build
    tools/release/check
