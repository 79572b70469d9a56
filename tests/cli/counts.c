/* How many contacts a run says that it had: those that press, against pilings whose number is known; and the near pairs beside them, which are others. */
#include "cli/scenes.h"

/* 3 × 3 disks of radius 100 mm, 5 mm apart, without a force: none ever touches; the twelve pairs of neighbours are near, those across a diagonal are not. */
static const char APART[] = "time: {end: 0.02 s, step: 1 ms}\n"
                            "detection: {alert_distance: 6 mm}\n"
                            "materials: {m: {density: 1000}}\n"
                            "grains: {g: {generator: lattice, rows: 3, columns: 3, spacing: 205 mm, radius: 100 mm, material: m}}\n";

/* The same touch each other and two walls, into whose corner they are pulled, without friction. The lattice is statically determinate: 18 impulses of nine
 * disks, and all press: 12 between neighbours, and 6 at the walls. Diagonal neighbours are 82.8 mm apart: their 8 pairs are near, and never touch. */
static const char CORNER[] = "time: {end: 0.1 s, step: 1 ms}\n"
                             "gravity: [-9.81, -9.81]\n"
                             "detection: {alert_distance: 90 mm}\n"
                             "materials: {m: {density: 1000}}\n"
                             "interactions: [{friction: 0}]\n"
                             "bodies:\n"
                             "  corner:\n"
                             "    kind: fixed\n"
                             "    shapes:\n"
                             "      - half_plane: {point: [0, 0], normal: [0, 1], material: m}\n"
                             "      - half_plane: {point: [0, 0], normal: [1, 0], material: m}\n"
                             "grains: {g: {generator: lattice, rows: 3, columns: 3, spacing: 200 mm, origin: [0.1, 0.1], radius: 100 mm, material: m}}\n";

static char *read_all(const char *path)
{
    static char text[1 << 18];
    FILE *in = fopen(path, "r");
    const size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
    text[n] = '\0';
    if (in) fclose(in);
    return text;
}

static double summary(const char *directory, const char *key)
{
    char path[100], wanted[64];
    snprintf(path, sizeof path, "%s/summary.json", directory);
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *found = strstr(read_all(path), wanted);
    return found ? strtod(found + strlen(wanted), NULL) : (double)NAN;
}

/* Contacts and candidates of the last row of a series without probes. */
static void last_row(const char *directory, int *contacts, int *candidates)
{
    static const char HEADER[] = "time,contacts,iterations,residual,penetration,kinetic_energy,potential_energy,candidates,tolerance\n";
    char path[100], line[1000] = "";
    snprintf(path, sizeof path, "%s/series.csv", directory);
    FILE *in = fopen(path, "r");
    CHECK(in && fgets(line, sizeof line, in) && strcmp(line, HEADER) == 0);
    while (in && fgets(line, sizeof line, in)) {
    }
    if (in) fclose(in);
    *contacts = *candidates = -1;
    CHECK(sscanf(line, "%*f,%d,%*d,%*f,%*f,%*f,%*f,%d", contacts, candidates) == 2);
}

static void check_last_row(const char *directory, int contacts, int candidates)
{
    int pressing, near;
    last_row(directory, &pressing, &near);
    if (pressing != contacts || near != candidates)
        TEST_FAIL("%s: %d contacts of %d candidates; expected %d of %d", directory, pressing, near, contacts, candidates);
}

TEST(near_pairs_are_no_contacts)
{
    write_file("apart.yaml", APART);
    CHECK(talus("run apart.yaml -o apart") == 0);
    check_last_row("apart", 0, 12);
    CHECK(summary("apart", "contacts_mean") == 0 && summary("apart", "contacts_max") == 0);
    CHECK(summary("apart", "candidates_mean") == 12 && summary("apart", "candidates_max") == 12);
}

TEST(contacts_of_a_pile)
{
    write_file("corner.yaml", CORNER);
    CHECK(talus("run corner.yaml -o corner") == 0);
    check_last_row("corner", 18, 26);
    CHECK(summary("corner", "contacts_max") == 18 && summary("corner", "candidates_max") == 26);
    CHECK(summary("corner", "candidates_mean") == 26);
    CHECK_CLOSE(summary("corner", "contact_iterations"), 26 * 100 * summary("corner", "iterations_mean"), 1e-12);
}

/* A resumed run counts what was before. */
TEST(counts_outlive_an_interruption)
{
    static const char *const KEYS[] = {"contacts_mean", "contacts_max", "candidates_mean", "candidates_max", "contact_iterations"};
    write_file("corner.yaml", CORNER);
    CHECK(talus("run corner.yaml -o whole") == 0);
    CHECK(talus("run corner.yaml -o parts --until 0.04") == 0);
    CHECK(talus("run corner.yaml -o parts --resume") == 0);
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) CHECK(summary("whole", KEYS[i]) == summary("parts", KEYS[i]));
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(near_pairs_are_no_contacts);
    RUN(contacts_of_a_pile);
    RUN(counts_outlive_an_interruption);
    remove_folder();
    return TEST_RESULT;
}
