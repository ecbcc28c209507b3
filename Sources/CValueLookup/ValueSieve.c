#include "ValueColumn.h"

static size_t sieve_place(size_t length) { return length < 63 ? length : 63; }

void value_sieve_add(uint64_t *sieve, const uint8_t *bytes, size_t length) {
    sieve[sieve_place(length)] |= (uint64_t)1 << ((length ? bytes[length / 2] : 0) & 63);
}

ptrdiff_t value_sieve_pick(const uint64_t *sieve, const value_column *column, uint32_t *rows) {
    bool is_sound = true;
    size_t count = 0;
    for (size_t row = 0; row < column->count; row++) {
        value_range range = column->values[row * column->stride];
        uint64_t middles = sieve[sieve_place((range.end - range.start) & position_bits)];
        if (!middles) continue;
        row_value value = value_at(column, row, &is_sound);
        if (!is_sound) return -1;
        if (!value.is_present) continue;
        uint8_t middle = value.length ? value.bytes[value.length / 2] : 0;
        rows[count] = (uint32_t)row;
        count += middles >> (middle & 63) & 1;
    }
    return (ptrdiff_t)count;
}
