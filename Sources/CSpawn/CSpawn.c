#include "CSpawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

int spawn_program(char *const words[], int output, pid_t *process) {
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (failure == 0) failure = posix_spawnp(process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}
