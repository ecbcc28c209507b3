// Settings of this process's memory.
#ifndef CMEMORYSETTINGS_H
#define CMEMORYSETTINGS_H

// From now on, blocks of memory of 256 KB and more go back to the system when they are freed. The GNU library would raise
// that limit to the largest block that was ever freed, so that what tables leave when they grow stays in the heap.
void return_large_blocks_at_once(void);

#endif
