
// ---- State maps: hash tables from states to numbers -------------------------------------------

/// The first line of a file with a map.
fn title_of_maps() -> String {
    format!("psvn state map 1 {CONTENT_HASH}\n")
}

/// Write a map: a title with the game's content hash, the number of entries, and for each the state
/// in raw form and the number. Programs in C read it on the same machine. Equal maps give equal
/// bytes.
pub fn write_state_map(file: &mut impl Write, map: &HashMap<State, i32>) -> io::Result<()> {
    file.write_all(title_of_maps().as_bytes())?;
    file.write_all(&(map.len() as u64).to_ne_bytes())?;
    let mut entries: Vec<(&State, &i32)> = map.iter().collect();
    entries.sort_unstable();
    for (state, number) in entries {
        dump_state(file, state)?;
        file.write_all(&number.to_ne_bytes())?;
    }
    Ok(())
}

/// Read a map that [`write_state_map`] or a program in C wrote for the same game, on a machine of
/// the same kind.
pub fn read_state_map(file: &mut impl Read) -> io::Result<HashMap<State, i32>> {
    let mut title = title_of_maps().into_bytes();
    file.read_exact(&mut title)?;
    if title != title_of_maps().as_bytes() {
        return Err(invalid("no map of states of this game"));
    }
    let mut len = [0; 8];
    file.read_exact(&mut len)?;
    let mut map = HashMap::new();
    for _ in 0..u64::from_ne_bytes(len) {
        let state = load_state(file)?;
        let mut number = [0; 4];
        file.read_exact(&mut number)?;
        map.insert(state, i32::from_ne_bytes(number));
    }
    Ok(map)
}
