// The value of a row in a column.
#ifndef VALUECOLUMN_H
#define VALUECOLUMN_H

#include "CValueLookup.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { step_bytes = value_lookup_step };

static const uint32_t position_bits = 0x7FFFFFFF, absent = 0xFFFFFFFF;

// A value of a row; none lies outside its memory where `is_sound` stays true.
typedef struct {
    const uint8_t *bytes;
    size_t length;
    bool is_present;
    // True if a step may read behind the value.
    bool has_room;
} row_value;

ALWAYS_INLINE row_value value_at(const value_column *column, size_t row, bool *is_sound) {
    value_range value = column->values[row * column->stride];
    bool is_present = value.start != absent;
    if (column->besides) is_present &= column->besides[row * column->stride].start == absent;
    bool is_copied = is_present & (value.start >> 31);
    size_t start = is_present ? value.start & position_bits : 0, end = is_present ? value.end & position_bits : 0;
    size_t count = is_copied ? column->copied_count : column->plain_count;
    *is_sound &= (start <= end) & (end <= count);
    return (row_value){(is_copied ? column->copied : column->plain) + start, end - start, is_present,
                       end + step_bytes <= count};
}

#endif
