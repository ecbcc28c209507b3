#include "CSystem.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

void return_large_blocks_at_once(void) { mallopt(M_MMAP_THRESHOLD, (1024 + 32) * 1024); }
#else
void return_large_blocks_at_once(void) {}
#endif
