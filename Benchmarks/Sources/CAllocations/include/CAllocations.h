// The count of this process's allocations.

#pragma once

/// The number of blocks that were asked for since the start, by whoever: malloc, calloc, realloc, posix_memalign,
/// aligned_alloc.
long allocation_count(void);
