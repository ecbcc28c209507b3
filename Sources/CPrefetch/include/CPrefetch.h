// Tells the processor of memory that will be needed soon, so that it is there when it is.
#ifndef CPREFETCH_H
#define CPREFETCH_H

static inline void prefetch_memory(const void *address) { __builtin_prefetch(address); }

#endif
