#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static size_t count_of(char *const words[]) {
    size_t count = 0;
    while (words[count] != NULL) count++;
    return count;
}

// True if two settings are of one variable.
static int have_one_name(const char *first, const char *second) {
    size_t length = strcspn(first, "=");
    return strcspn(second, "=") == length && strncmp(first, second, length) == 0;
}

static int is_among(const char *setting, char *const settings[]) {
    for (; *settings != NULL; settings++) {
        if (have_one_name(setting, *settings)) return 1;
    }
    return 0;
}

// The environment of this process with other settings; the caller frees the list, but not what it holds.
static char **environment_with(char *const settings[]) {
    char **environment = calloc(count_of(environ) + count_of(settings) + 1, sizeof *environment);
    if (environment == NULL) return NULL;
    size_t count = 0;
    for (char **known = environ; *known != NULL; known++) {
        if (!is_among(*known, settings)) environment[count++] = *known;
    }
    for (; *settings != NULL; settings++) environment[count++] = *settings;
    return environment;
}

// The signals that this process waits for are nothing to the program.
static int unblock_signals(posix_spawnattr_t *attributes) {
    sigset_t none;
    sigemptyset(&none);
    int failure = posix_spawnattr_setsigmask(attributes, &none);
    return failure == 0 ? posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK) : failure;
}

static int start_with(
    const posix_spawnattr_t *attributes, char *const words[], char *const environment[], int output, pid_t *process
) {
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (failure == 0) failure = posix_spawnp(process, words[0], &actions, attributes, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static int start(char *const words[], char *const environment[], int output, pid_t *process) {
    posix_spawnattr_t attributes;
    int failure = posix_spawnattr_init(&attributes);
    if (failure != 0) return failure;
    failure = unblock_signals(&attributes);
    if (failure == 0) failure = start_with(&attributes, words, environment, output, process);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

int spawn_program(char *const words[], char *const settings[], int output, pid_t *process) {
    char **environment = environment_with(settings);
    if (environment == NULL) return ENOMEM;
    int failure = start(words, environment, output, process);
    free(environment);
    return failure;
}
