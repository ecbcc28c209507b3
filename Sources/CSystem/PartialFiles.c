#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include <unistd.h>

enum { CAPACITY = 64 };

// States of an entry's path: of no file, being written down, of a file, or being removed because the process ends.
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
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM, SIGVTALRM, SIGXCPU, SIGUSR1, SIGUSR2};
    static _Atomic int is_watching;
    if (atomic_exchange(&is_watching, 1)) return;
    atexit(remove_all);
    // A file that may not grow further, as under `ulimit -f`, is then a write that fails.
    signal(SIGXFSZ, SIG_IGN);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        struct sigaction known;
        if (sigaction(numbers[index], NULL, &known) != 0 || known.sa_handler != SIG_DFL) continue;
        struct sigaction ending = {.sa_handler = end, .sa_flags = SA_RESETHAND};
        sigfillset(&ending.sa_mask);
        sigaction(numbers[index], &ending, NULL);
    }
}

// Bytes that an aborted allocation may have asked for, except the largest arrays; bytes that a stack may have grown by;
// those of the handler's stack.
enum { ABORT_PROBE = 64 * 1024 * 1024, FAULT_PROBE = 16 * 1024 * 1024, STACK = 64 * 1024 };

static int memory_status;
static struct sigaction known_abort, known_fault, known_trap;

static int is_limited(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static int is_exhausted(size_t wanted) {
    void *probe = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) return 1;
    munmap(probe, wanted);
    return 0;
}

static _Noreturn void end_with(const char *message) {
    remove_all();
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written;
    _exit(memory_status);
}

static _Noreturn void end_for_memory(void) {
    end_with("scenario: error: there is not enough memory\n"
        "  hint: `ulimit -v` and `ulimit -d` say how much a process may take\n");
}

void partial_files_end_without_thread(void) {
    if (memory_status == 0) abort();
    end_with("scenario: error: there is not enough memory for a thread, or the system allows no more threads\n"
        "  hint: `--jobs 1` needs no more; `ulimit -v` and `ulimit -u` say how much a process may take\n");
}

static void take_abort(int number) {
    if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA) || is_exhausted(ABORT_PROBE)) end_for_memory();
    remove_all();
    sigaction(number, &known_abort, NULL);
    raise(number);
}

// A fault that has another reason happens once more when the handler returns.
static void take_fault(int number) {
    if (is_limited(RLIMIT_AS) && is_exhausted(FAULT_PROBE)) end_for_memory();
    sigaction(number, number == SIGSEGV ? &known_fault : &known_trap, NULL);
}

void partial_files_watch_memory(int status) {
    // If the stack cannot grow, the handler needs another one.
    static char stack[STACK];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    memory_status = status;
    sigaltstack(&other, NULL);
    struct sigaction aborting = {.sa_handler = take_abort};
    struct sigaction faulting = {.sa_handler = take_fault, .sa_flags = SA_ONSTACK};
    sigfillset(&aborting.sa_mask);
    sigfillset(&faulting.sa_mask);
    // An abort is let through again for the handler that was there.
    sigdelset(&aborting.sa_mask, SIGABRT);
    sigaction(SIGABRT, &aborting, &known_abort);
    sigaction(SIGSEGV, &faulting, &known_fault);
    // A library that says that it got no memory is a condition that does not hold.
#ifdef __aarch64__
    sigaction(SIGTRAP, &faulting, &known_trap);
#else
    sigaction(SIGILL, &faulting, &known_trap);
#endif
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

#ifdef __linux__
int partial_files_copy_access_list(const char *from, int descriptor) {
    static const char name[] = "system.posix_acl_access";
    char list[4096];
    ssize_t count = getxattr(from, name, list, sizeof list);
    if (count < 0) return errno == ERANGE ? -1 : 0;
    return count == 0 ? 0 : fsetxattr(descriptor, name, list, (size_t)count, 0);
}
#elif defined(__APPLE__)
#include <copyfile.h>
#include <fcntl.h>

int partial_files_copy_access_list(const char *from, int descriptor) {
    int source = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    // A file that cannot be read has no list to copy.
    if (source < 0) return 0;
    int result = fcopyfile(source, descriptor, NULL, COPYFILE_ACL);
    close(source);
    return result;
}
#else
int partial_files_copy_access_list(const char *from, int descriptor) {
    (void)from;
    (void)descriptor;
    return 0;
}
#endif
