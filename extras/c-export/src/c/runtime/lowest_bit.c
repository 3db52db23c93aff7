/* Return the place of the lowest bit of a number that isn't 0. */
static inline int psvn_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int place = 0;
    for (int half = 32; half > 0; half /= 2) {
        if ((bits & ((UINT64_C(1) << half) - 1)) == 0) {
            bits >>= half;
            place += half;
        }
    }
    return place;
#endif
}

