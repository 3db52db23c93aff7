//! Write the planning tasks of the measurements into a folder, as SAS+.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("which folder?")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    for (name, task) in formats::planning::tasks()
        .into_iter()
        .chain(formats::planning::cubes())
    {
        fs::write(
            folder.join(format!("{name}.sas")),
            formats::sas::write(&task),
        )?;
    }
    Ok(())
}
