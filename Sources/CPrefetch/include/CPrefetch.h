// Has memory fetched that will be needed soon, so that it is there when it is.
#ifndef CPREFETCH_H
#define CPREFETCH_H

// Reads a byte and does nothing with it, so that nothing waits for it. The address must be readable. Of memory that is far
// away, processors fetch more at a time so than by their instruction to prefetch.
static inline void prefetch_memory(const void *address) { (void)*(const volatile unsigned char *)address; }

#endif
