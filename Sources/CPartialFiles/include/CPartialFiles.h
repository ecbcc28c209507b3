// C functions for files that are being written: signals that end the process remove them first, and they keep the access
// list of the file that they replace.
#ifndef CPARTIALFILES_H
#define CPARTIALFILES_H

// From now on signals that ask the process to end, such as SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT and SIGXCPU, and an
// exit of the process, remove the files that are noted. The signal then ends the process as it would have. A signal that is
// ignored, or handled already, stays so. SIGXFSZ is ignored: the write that is one too many fails.
void partial_files_watch(void);

// From now on the process ends with an exit status and a message when it gets no more memory, and removes the files that are
// noted. The runtimes of Swift and C++ abort then, and a stack that cannot grow is a fault; so that what has another reason
// stays what it is, it is asked whether there is memory.
void partial_files_watch_memory(int status);

// Notes a file. Returns its number, or -1 when there are too many or the path is too long: then it is not removed.
int partial_files_add(const char *path);

// Forgets a file by its number; -1 is none.
void partial_files_forget(int number);

// Gives an open file the access list of another file, where that has one. Returns 0, or -1 when it cannot have it.
int partial_files_copy_access_list(const char *from, int descriptor);

#endif
