// A table of values, as those see it who look for them.
#ifndef VALUETABLE_H
#define VALUETABLE_H

#include "CValueLookup.h"

#include <string.h>

static const uint32_t no_slot = 0xFFFFFFFF, missed = 0xFFFFFFFF;

static inline value_record record_at(const uint8_t *bytes) {
    value_record record;
    memcpy(&record, bytes, sizeof record);
    return record;
}

#endif
