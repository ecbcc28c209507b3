#include "CFuzzer.h"

// The main of libFuzzer asks for this, and is never called: ours gives the driver a callback of its own.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)data;
    (void)size;
    return 0;
}
