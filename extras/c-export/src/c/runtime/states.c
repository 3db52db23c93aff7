/* ---- States ---------------------------------------------------------------------------------- */

/* One value for each variable; see the names of values above. */
typedef struct {
    psvn_value_t vars[NUMVARS];
} state_t;

static inline void copy_state(state_t *dest, const state_t *src)
{
    *dest = *src;
}

/* Return 0 if the states are equal. The sign of other results is the order of their bytes. */
static inline int compare_states(const state_t *a, const state_t *b)
{
    return memcmp(a->vars, b->vars, sizeof a->vars);
}

/* Return a hash of the state, all bits of which are well mixed. It depends on the byte order of the
 * machine, so don't store it. */
static inline uint64_t hash_state(const state_t *state)
{
    const unsigned char *bytes = (const unsigned char *) state->vars;
    uint64_t hash = UINT64_C(0x243F6A8885A308D3);
    for (size_t at = 0; at < sizeof state->vars; at += sizeof(uint64_t)) {
        size_t left = sizeof state->vars - at;
        uint64_t word = 0;
        if (left >= sizeof word) {
            memcpy(&word, bytes + at, sizeof word);
        } else {
            memcpy(&word, bytes + at, left);
        }
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ (hash >> 32);
}

/* Write the state in raw form. Return 1, or 0 if the file can't be written. */
static inline int dump_state(FILE *file, const state_t *state)
{
    return fwrite(state->vars, sizeof state->vars, 1, file) == 1;
}

/* Read what dump_state wrote. Return 1, or 0 if there is no state of this game. */
static inline int load_state(FILE *file, state_t *state)
{
    state_t loaded;
    if (fread(loaded.vars, sizeof loaded.vars, 1, file) != 1) {
        return 0;
    }
    for (int i = 0; i < NUMVARS; ++i) {
        if (loaded.vars[i] < 0 || loaded.vars[i] >= psvn_domain_sizes[psvn_domain_of[i]]) {
            return 0;
        }
    }
    *state = loaded;
    return 1;
}

