/* ---- State maps: hash tables from states to ints --------------------------------------------- */

typedef struct {
    state_t state;
    int value;
} psvn_entry_t;

/* Entries are in blocks that are never moved, each as large as all before it together, so a pointer
 * to a value stays valid until its map is destroyed. The table holds numbers of entries, from 1; 0
 * is an empty place. */
#define PSVN_FIRST_BLOCK 256
#define PSVN_MOST_BLOCKS 32

typedef struct {
    psvn_entry_t *blocks[PSVN_MOST_BLOCKS];
    uint64_t n_entries;
    uint64_t *table;
    uint64_t mask;
} state_map_t;

/* Return the entry with a number, from 0: block 0 has the first 256, block 1 the next 256, block 2
 * the next 512, and so on. */
static inline psvn_entry_t *psvn_entry(const state_map_t *map, uint64_t number)
{
    int block = 0;
    uint64_t first = 0;
    uint64_t size = PSVN_FIRST_BLOCK;
    while (number >= first + size) {
        first += size;
        size = first;
        ++block;
    }
    return map->blocks[block] + (number - first);
}

/* Return the place of a state in the table, or the empty place where it belongs. */
static inline uint64_t psvn_place(const state_map_t *map, const state_t *state)
{
    uint64_t place = hash_state(state) & map->mask;
    while (map->table[place] != 0
           && compare_states(&psvn_entry(map, map->table[place] - 1)->state, state) != 0) {
        place = (place + 1) & map->mask;
    }
    return place;
}

static inline void destroy_state_map(state_map_t *map)
{
    if (map == NULL) {
        return;
    }
    for (int block = 0; block < PSVN_MOST_BLOCKS; ++block) {
        free(map->blocks[block]);
    }
    free(map->table);
    free(map);
}

/* Return an empty map, or NULL if there is no memory. */
static inline state_map_t *new_state_map(void)
{
    state_map_t *map = (state_map_t *) calloc(1, sizeof *map);
    if (map == NULL) {
        return NULL;
    }
    map->mask = 2 * PSVN_FIRST_BLOCK - 1;
    map->table = (uint64_t *) calloc((size_t) map->mask + 1, sizeof *map->table);
    if (map->table == NULL) {
        destroy_state_map(map);
        return NULL;
    }
    return map;
}

/* Return the value of a state, which may be changed in place, or NULL if the state is absent. */
static inline int *state_map_get(const state_map_t *map, const state_t *state)
{
    uint64_t number = map->table[psvn_place(map, state)];
    return number == 0 ? NULL : &psvn_entry(map, number - 1)->value;
}

static inline int psvn_double_table(state_map_t *map)
{
    uint64_t *before = map->table;
    uint64_t size = map->mask + 1;
    uint64_t *table = (uint64_t *) calloc((size_t) (2 * size), sizeof *table);
    if (table == NULL) {
        return 0;
    }
    map->table = table;
    map->mask = 2 * size - 1;
    for (uint64_t i = 0; i < size; ++i) {
        if (before[i] != 0) {
            map->table[psvn_place(map, &psvn_entry(map, before[i] - 1)->state)] = before[i];
        }
    }
    free(before);
    return 1;
}

/* Set the value of a state, in place of the one that it has. Return 1, or 0 if there is no memory:
 * then the map is as it was. */
static inline int state_map_add(state_map_t *map, const state_t *state, int value)
{
    uint64_t place = psvn_place(map, state);
    if (map->table[place] != 0) {
        psvn_entry(map, map->table[place] - 1)->value = value;
        return 1;
    }
    if (2 * (map->n_entries + 1) > map->mask) {
        if (!psvn_double_table(map)) {
            return 0;
        }
        place = psvn_place(map, state);
    }
    int block = 0;
    uint64_t first = 0;
    uint64_t size = PSVN_FIRST_BLOCK;
    while (map->n_entries >= first + size) {
        first += size;
        size = first;
        ++block;
    }
    if (map->blocks[block] == NULL) {
        map->blocks[block] = (psvn_entry_t *) malloc((size_t) size * sizeof(psvn_entry_t));
        if (map->blocks[block] == NULL) {
            return 0;
        }
    }
    psvn_entry_t *entry = map->blocks[block] + (map->n_entries - first);
    entry->state = *state;
    entry->value = value;
    map->table[place] = ++map->n_entries;
    return 1;
}

#define PSVN_MAP_TITLE "psvn state map 1 " PSVN_CONTENT_HASH "\n"

/* Write a map: a title with the game's content hash, the number of entries, and for each the state
 * in raw form and the value. Return 1, or 0 if the file can't be written. */
static inline int write_state_map(FILE *file, const state_map_t *map)
{
    if (fputs(PSVN_MAP_TITLE, file) < 0
        || fwrite(&map->n_entries, sizeof map->n_entries, 1, file) != 1) {
        return 0;
    }
    for (uint64_t i = 0; i < map->n_entries; ++i) {
        const psvn_entry_t *entry = psvn_entry(map, i);
        if (!dump_state(file, &entry->state)
            || fwrite(&entry->value, sizeof entry->value, 1, file) != 1) {
            return 0;
        }
    }
    return 1;
}

/* Read what write_state_map wrote for the same game, on a machine of the same kind. Return NULL if
 * it can't be read. */
static inline state_map_t *read_state_map(FILE *file)
{
    char title[sizeof PSVN_MAP_TITLE - 1];
    uint64_t n_entries;
    if (fread(title, sizeof title, 1, file) != 1
        || memcmp(title, PSVN_MAP_TITLE, sizeof title) != 0
        || fread(&n_entries, sizeof n_entries, 1, file) != 1) {
        return NULL;
    }
    state_map_t *map = new_state_map();
    for (uint64_t i = 0; map != NULL && i < n_entries; ++i) {
        state_t state;
        int value;
        if (!load_state(file, &state) || fread(&value, sizeof value, 1, file) != 1
            || !state_map_add(map, &state, value)) {
            destroy_state_map(map);
            map = NULL;
        }
    }
    return map;
}

