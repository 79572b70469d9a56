/* Names that nobody knows, and what may have been meant. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"

/* Levenshtein distance, short words only. */
static int distance(const char *a, const char *b)
{
    int row[64];
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n >= 63 || m >= 63) return 99;
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            const int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            if (change < best) best = change;
            row[j] = best;
        }
    }
    return row[m];
}

const char *tl_nearest(const char *word, const char *const *words, int count)
{
    const char *best = NULL;
    int least = (int)strlen(word) / 3 + 2;
    for (int i = 0; i < count; i++) {
        const int d = distance(word, words[i]);
        if (d < least) least = d, best = words[i];
    }
    return best;
}

const char *tl_words_list(tl_words_fn *word, char *list, size_t size)
{
    size_t used = 0;
    if (size > 0) *list = '\0';
    for (int i = 0; word(i) && used < size; i++) used += (size_t)snprintf(list + used, size - used, "%s%s", i > 0 ? ", " : "", word(i));
    return list;
}

talus_status tl_fail_unknown(tl_error *error, const char *what, const char *name, tl_words_fn *word)
{
    const char *words[64];
    char list[512];
    int n = 0;
    while (n < 64 && (words[n] = word(n))) n++;
    tl_words_list(word, list, sizeof list);
    const char *near = tl_nearest(name, words, n);
    if (near) return tl_fail(error, TALUS_INPUT, "there is no %s '%.80s'; did you mean '%s'? There are %s", what, name, near, list);
    return tl_fail(error, TALUS_INPUT, "there is no %s '%.80s'; there are %s", what, name, list);
}
