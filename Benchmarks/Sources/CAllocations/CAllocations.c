// Replaces the C library's allocator and counts: the dynamic linker takes the executable's functions first, for
// the Swift runtime too. Freeing needs no counting and goes straight to the library.

#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// Under these names glibc exports what it does itself.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long blocks;

static void count(void) { atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed); }

long allocation_count(void) { return atomic_load_explicit(&blocks, memory_order_relaxed); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t amount, size_t size) {
    count();
    return __libc_calloc(amount, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count();
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}
