/* Bring the rules into ascending order. They are few, and nearly in order. */
static inline void psvn_sort_rules(ruleid_iterator_t *iter)
{
    for (int i = 1; i < iter->count; ++i) {
        int rule = iter->rules[i];
        int place = i;
        while (place > 0 && iter->rules[place - 1] > rule) {
            iter->rules[place] = iter->rules[place - 1];
            --place;
        }
        iter->rules[place] = rule;
    }
}

/* Return the next rule that applies, in ascending order, or -1 at the end. */
static inline int next_ruleid(ruleid_iterator_t *iter)
{
    return iter->next < iter->count ? iter->rules[iter->next++] : -1;
}

