// How often this process asked for memory.

#pragma once

/// How many blocks were asked for since the start, by whoever: malloc, calloc, realloc, posix_memalign, aligned_alloc.
long allocation_count(void);
