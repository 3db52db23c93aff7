/* ---- Abstractions: values of a domain are merged, variables are projected away --------------- */

/* For each value of each domain its image, the domains one after the other, and for each variable 1
 * if it is kept. */
typedef struct {
    psvn_value_t images[PSVN_NUM_VALUES];
    unsigned char keeps[NUMVARS];
} abstraction_t;

/* Read the next word of a file: up to white space or a brace, which is a word by itself. `#` or `;`
 * at the beginning of a word begins a comment. Return its length, 0 at the end of the file, -1 if
 * the word is longer than any name. */
static inline int psvn_read_word(FILE *file, char word[PSVN_LONGEST_NAME + 2])
{
    int length = 0;
    int c = getc(file);
    while (c != EOF) {
        if (c == '#' || c == ';') {
            while (c != '\n' && c != EOF) {
                c = getc(file);
            }
        } else if (psvn_is_space((char) c)) {
            c = getc(file);
        } else {
            break;
        }
    }
    while (c != EOF && !psvn_is_space((char) c)) {
        if ((c == '{' || c == '}') && length > 0) {
            ungetc(c, file);
            break;
        }
        if (length > PSVN_LONGEST_NAME) {
            return -1;
        }
        word[length++] = (char) c;
        if (c == '{' || c == '}') {
            break;
        }
        c = getc(file);
    }
    word[length] = '\0';
    return length;
}

/* Return 1 if the next word of the file is this one. */
static inline int psvn_expect(FILE *file, const char *expected)
{
    char word[PSVN_LONGEST_NAME + 2];
    int length = psvn_read_word(file, word);
    return length > 0 && psvn_is_name(expected, word, (size_t) length);
}

/* Read the entries of a block in braces. Return 1 if all is well. */
static inline int psvn_read_block(FILE *file, const char *name, abstraction_t *abstraction)
{
    char word[PSVN_LONGEST_NAME + 2];
    int length;
    int domain = 0;
    int first = 0;
    if (!psvn_expect(file, "{")) {
        return 0;
    }
    if (psvn_is_name("projection", name, strlen(name))) {
        for (int i = 0; i < NUMVARS; ++i) {
            length = psvn_read_word(file, word);
            if (length != 1 || (psvn_lower(word[0]) != 'k' && psvn_lower(word[0]) != 'p')) {
                return 0;
            }
            abstraction->keeps[i] = psvn_lower(word[0]) == 'k';
        }
        return psvn_expect(file, "}");
    }
    while (domain < PSVN_NUM_DOMAINS
           && !psvn_is_name(psvn_domain_names[domain], name, strlen(name))) {
        first += psvn_domain_sizes[domain];
        ++domain;
    }
    if (domain == PSVN_NUM_DOMAINS) {
        return 0;
    }
    for (int value = 0; value < psvn_domain_sizes[domain]; ++value) {
        int image;
        length = psvn_read_word(file, word);
        image = length > 0 ? psvn_find_value(domain, word, (size_t) length) : -1;
        if (image < 0) {
            return 0;
        }
        abstraction->images[first + value] = (psvn_value_t) image;
    }
    return psvn_expect(file, "}");
}

/* Set the abstraction that changes nothing. */
static inline void psvn_change_nothing(abstraction_t *abstraction)
{
    int at = 0;
    for (int domain = 0; domain < PSVN_NUM_DOMAINS; ++domain) {
        for (int value = 0; value < psvn_domain_sizes[domain]; ++value) {
            abstraction->images[at++] = (psvn_value_t) value;
        }
    }
    memset(abstraction->keeps, 1, sizeof abstraction->keeps);
}

/* Read a block `abstraction { DOMAIN { image .. } .. projection { K P .. } }`. What it leaves out
 * stays as it is. Return NULL if the file can't be read or has no such block for this game. */
static inline abstraction_t *read_abstraction_from_file(const char *path)
{
    char word[PSVN_LONGEST_NAME + 2];
    abstraction_t *abstraction;
    int is_good = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return NULL;
    }
    abstraction = (abstraction_t *) malloc(sizeof *abstraction);
    if (abstraction != NULL && psvn_expect(file, "abstraction") && psvn_expect(file, "{")) {
        psvn_change_nothing(abstraction);
        while (psvn_read_word(file, word) > 0) {
            is_good = strcmp(word, "}") == 0;
            if (is_good || !psvn_read_block(file, word, abstraction)) {
                break;
            }
        }
    }
    fclose(file);
    if (!is_good) {
        free(abstraction);
        return NULL;
    }
    return abstraction;
}

/* Print the block that read_abstraction_from_file reads. */
static inline void print_abstraction(const abstraction_t *abstraction)
{
    int at = 0;
    printf("abstraction {\n");
    for (int domain = 0; domain < PSVN_NUM_DOMAINS; ++domain) {
        printf("  %s {", psvn_domain_names[domain]);
        for (int value = 0; value < psvn_domain_sizes[domain]; ++value) {
            printf(" %s", psvn_domain_values[domain][abstraction->images[at++]]);
        }
        printf(" }\n");
    }
    printf("  projection {");
    for (int i = 0; i < NUMVARS; ++i) {
        printf(" %c", abstraction->keeps[i] ? 'K' : 'P');
    }
    printf(" }\n}\n");
}

static inline void destroy_abstraction(abstraction_t *abstraction)
{
    free(abstraction);
}

/* Set `result` to the image of a state. A variable that is projected away stays there, with the
 * first value of its domain in all images. */
static inline void abstract_state(const abstraction_t *abstraction, const state_t *state,
                                  state_t *result)
{
    for (int i = 0; i < NUMVARS; ++i) {
        const psvn_value_t *images = abstraction->images + psvn_first_values[psvn_domain_of[i]];
        result->vars[i] = (psvn_value_t) (abstraction->keeps[i] ? images[state->vars[i]] : 0);
    }
}
