#define _GNU_SOURCE
#include "CPartialFiles.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { CAPACITY = 64 };

// What the path of an entry is: no file's, being written down, a file's, or being removed because the process ends.
enum { FREE, CLAIMED, NOTED, REMOVING };

// Static memory: a handler of signals may neither allocate nor wait.
static char paths[CAPACITY][PATH_MAX];
static _Atomic int states[CAPACITY];

static void remove_all(void) {
    for (int entry = 0; entry < CAPACITY; entry++) {
        int expected = NOTED;
        if (atomic_compare_exchange_strong(&states[entry], &expected, REMOVING)) unlink(paths[entry]);
    }
}

// SA_RESETHAND has restored what the signal does by default, which happens when the handler returns.
static void end(int number) {
    remove_all();
    raise(number);
}

void partial_files_watch(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    static _Atomic int is_watching;
    if (atomic_exchange(&is_watching, 1)) return;
    atexit(remove_all);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        struct sigaction known;
        if (sigaction(numbers[index], NULL, &known) != 0 || known.sa_handler != SIG_DFL) continue;
        struct sigaction ending = {.sa_handler = end, .sa_flags = SA_RESETHAND};
        sigfillset(&ending.sa_mask);
        sigaction(numbers[index], &ending, NULL);
    }
}

int partial_files_add(const char *path) {
    size_t length = strlen(path);
    if (length >= PATH_MAX) return -1;
    for (int entry = 0; entry < CAPACITY; entry++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&states[entry], &expected, CLAIMED)) continue;
        memcpy(paths[entry], path, length + 1);
        atomic_store(&states[entry], NOTED);
        return entry;
    }
    return -1;
}

void partial_files_forget(int number) {
    if (number < 0 || number >= CAPACITY) return;
    int expected = NOTED;
    // An entry that is being removed stays: the process ends, and the handler may still read the path.
    atomic_compare_exchange_strong(&states[number], &expected, FREE);
}

int partial_files_copy_access_list(const char *from, int descriptor) {
    static const char name[] = "system.posix_acl_access";
    char list[4096];
    ssize_t count = getxattr(from, name, list, sizeof list);
    if (count < 0) return errno == ERANGE ? -1 : 0;
    return count == 0 ? 0 : fsetxattr(descriptor, name, list, (size_t)count, 0);
}
