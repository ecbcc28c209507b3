// The functions of the system that Swift cannot express by itself. The library PolicyEngine needs none of it.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdint.h>
#include <sys/types.h>

// C functions for files that are being written: signals that end the process remove them first, and they keep the access
// list of the file that they replace.

// From now on signals that ask the process to end, such as SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT and SIGXCPU, and an
// exit of the process, remove the files that are noted. The signal then ends the process as it would have. A signal that is
// ignored, or handled already, stays so. SIGXFSZ is ignored: the write that is one too many fails.
void partial_files_watch(void);

// From now on the process ends with an exit status and a message when it gets no more memory, and removes the files that are
// noted. The runtimes of Swift and C++ abort then, and a stack that cannot grow is a fault; so that what has another reason
// stays what it is, it is asked whether there is memory.
void partial_files_watch_memory(int status);

// Ends the process with that exit status and a message, because it gets no further thread; aborts where there is none.
_Noreturn void partial_files_end_without_thread(void);

// Notes a file. Returns its number, or -1 when there are too many or the path is too long: then it is not removed.
int partial_files_add(const char *path);

// Forgets a file by its number; -1 is none.
void partial_files_forget(int number);

// Gives an open file the access list of another file, where that has one. Returns 0, or -1 when it cannot have it.
int partial_files_copy_access_list(const char *from, int descriptor);

// Starts other programs: the types that this takes differ between systems, and only C has them all.

// Starts a program that is looked for on the PATH, with standard output going to a descriptor, and standard input and error
// to nowhere. The words end with a null pointer, and the first is the program. Its environment is that of this process, but
// for settings such as `NAME=VALUE`, which end with a null pointer, too. Returns 0, or the number of an error.
int spawn_program(char *const words[], char *const settings[], int output, pid_t *process);

// Threads, whose type differs between systems.

// Starts a thread. Returns 0, or the number of an error; `thread` is then not set.
int plain_thread_start(void *(*run)(void *), void *context, uintptr_t *thread);

// Lets a thread end by itself. Nobody may wait for it.
void plain_thread_detach(uintptr_t thread);

// Waits for the end of a thread, once.
void plain_thread_join(uintptr_t thread);

// Settings of this process's memory.

// From now on, blocks of memory of more than 1 MiB go back to the system when they are freed. The GNU library would raise that
// limit to the largest block that was ever freed, so that what tables leave when they grow stays in the heap. A column of a
// batch takes up to 1 MiB, and the next batch takes it again.
void return_large_blocks_at_once(void);

// The number of columns of a terminal, by the descriptor of an open file; 0 where it is none, or does not say.
int terminal_columns(int descriptor);

// Reports to ThreadSanitizer a lock that it cannot see. Without the sanitizer, these do nothing.

// The calling thread has taken the lock of this address: it sees what was done before the lock was last given back.
void thread_sanitizer_locked(const void *lock);

// The calling thread is about to give the lock of this address back.
void thread_sanitizer_unlocking(const void *lock);

#endif
