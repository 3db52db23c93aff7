/* ---- States as text: the values in order, one blank between them ----------------------------- */

static inline int psvn_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static inline char psvn_lower(char c)
{
    return (char) (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Return 1 if `word`, which has `length` characters, is `name` in any case. */
static inline int psvn_is_name(const char *name, const char *word, size_t length)
{
    size_t i = 0;
    while (i < length && name[i] != '\0' && psvn_lower(name[i]) == psvn_lower(word[i])) {
        ++i;
    }
    return i == length && name[i] == '\0';
}

/* Return the value of a domain with this name, or -1 if there is none. */
static inline int psvn_find_value(int domain, const char *word, size_t length)
{
    for (int value = 0; value < psvn_domain_sizes[domain]; ++value) {
        if (psvn_is_name(psvn_domain_values[domain][value], word, length)) {
            return value;
        }
    }
    return -1;
}

static inline const char *psvn_value_name(const state_t *state, int variable)
{
    return psvn_domain_values[psvn_domain_of[variable]][state->vars[variable]];
}

/* Return the number of characters written, or -1 if the file can't be written. */
static inline ssize_t print_state(FILE *file, const state_t *state)
{
    ssize_t written = 0;
    for (int i = 0; i < NUMVARS; ++i) {
        int now = fprintf(file, "%s%s", i > 0 ? " " : "", psvn_value_name(state, i));
        if (now < 0) {
            return -1;
        }
        written += now;
    }
    return written;
}

/* Write a string of at most `size` bytes, its end included. Return its length, or -1 if it doesn't
 * fit. */
static inline ssize_t sprint_state(char *text, size_t size, const state_t *state)
{
    size_t at = 0;
    for (int i = 0; i < NUMVARS; ++i) {
        const char *name = psvn_value_name(state, i);
        size_t length = strlen(name);
        size_t blank = i > 0 ? 1 : 0;
        if (size <= at || size - at <= blank + length) {
            return -1;
        }
        if (blank > 0) {
            text[at] = ' ';
        }
        memcpy(text + at + blank, name, length);
        at += blank + length;
    }
    text[at] = '\0';
    return (ssize_t) at;
}

/* Read a state from the beginning of a string; white space before and between values is optional,
 * and case is ignored. Return the number of characters read, or -1 if there is no state. */
static inline ssize_t read_state(const char *text, state_t *state)
{
    const char *at = text;
    state_t result;
    for (int i = 0; i < NUMVARS; ++i) {
        while (psvn_is_space(*at)) {
            ++at;
        }
        const char *word = at;
        while (*at != '\0' && !psvn_is_space(*at)) {
            ++at;
        }
        int value = psvn_find_value(psvn_domain_of[i], word, (size_t) (at - word));
        if (value < 0) {
            return -1;
        }
        result.vars[i] = (psvn_value_t) value;
    }
    *state = result;
    return (ssize_t) (at - text);
}

