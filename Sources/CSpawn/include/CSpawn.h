// Starts other programs: the types that this takes differ between systems, and only C has them all.
#ifndef CSPAWN_H
#define CSPAWN_H

#include <sys/types.h>

// Starts a program that is looked for on the PATH, with standard output going to a descriptor, and standard input and error
// to nowhere. The words end with a null pointer, and the first is the program. Its environment is that of this process, but
// for settings such as `NAME=VALUE`, which end with a null pointer, too. Returns 0, or the number of an error.
int spawn_program(char *const words[], char *const settings[], int output, pid_t *process);

#endif
