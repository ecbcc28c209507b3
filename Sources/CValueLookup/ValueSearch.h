// Looks for the values of some rows in a table, whatever the instructions.
#ifndef VALUESEARCH_H
#define VALUESEARCH_H

#include "ValueColumn.h"
#include "ValueTable.h"

// Longer values are looked for one by one, since all of a batch take as many steps as the longest.
enum { longest_of_batch = 8 * step_bytes };

static const uint32_t undecided = 0xFFFFFFFE;

// A value that is looked for, and the record that may be its own.
typedef struct {
    const uint8_t *bytes;
    uint32_t length;
    uint32_t row;
    uint32_t tag;
    // The offset of the record, if there is one.
    uint32_t start;
    // The result if the record is that of another value, or there is none.
    uint32_t otherwise;
} wanted_value;

typedef struct {
    wanted_value values[value_lookup_rows];
    size_t count;
} wanted_list;

// The functions of which each set of instructions has its own version. Bytes are looked at in steps; those that lie behind
// the end of a value take no part, so that values of all lengths can take as many steps as the longest. A step may load
// bytes behind the end.
//
// `last` is the address that the last step is loaded from; null if that may read behind the value.
typedef uint32_t hash_function(const value_lookup_keys *keys, const uint8_t *bytes, size_t length, size_t steps,
                               const uint8_t *last);
typedef bool same_function(const uint8_t *left, const uint8_t *right, size_t length, size_t steps);
// The slots that have a tag, a bit each; free slots may be among them.
typedef uint32_t slots_function(const value_bucket *bucket, uint32_t tag);

ALWAYS_INLINE size_t steps_of(size_t length) { return (length + step_bytes - 1) / step_bytes; }

ALWAYS_INLINE size_t left_behind(size_t length, size_t passed) { return length > passed ? length - passed : 0; }

ALWAYS_INLINE uint32_t tag_of(hash_function hash, const value_lookup_keys *keys, const uint8_t *bytes, size_t length) {
    uint8_t last[step_bytes] = {0};
    size_t steps = steps_of(length), passed = steps ? (steps - 1) * step_bytes : 0;
    if (length) memcpy(last, bytes + passed, length - passed);
    return hash(keys, bytes, length, steps, last);
}

// Goes over all slots that may hold a value, which is rare.
ALWAYS_INLINE uint32_t probe(const value_table *table, const wanted_value *value) {
    return value_table_found(table, value->tag, value->bytes, value->length);
}

// Divides the rows into those that are looked for together and those that are looked for one by one. Returns how many steps
// the longest of the former takes; -1 where a value lies outside its memory.
ALWAYS_INLINE ptrdiff_t gather(const value_column *column, wanted_list *together, wanted_list *apart) {
    bool is_sound = true;
    size_t longest = 0;
    for (size_t row = 0; row < column->count; row++) {
        row_value value = value_at(column, row, &is_sound);
        bool is_usual = value.has_room & (value.length <= longest_of_batch);
        wanted_value wanted = {value.bytes, (uint32_t)value.length, (uint32_t)row, 0, 0, 0};
        together->values[together->count] = wanted;
        together->count += value.is_present & is_usual;
        longest = (value.is_present & is_usual & (value.length > longest)) ? value.length : longest;
        if (value.is_present & !is_usual) apart->values[apart->count++] = wanted;
    }
    return is_sound ? (ptrdiff_t)steps_of(longest) : -1;
}

// Chooses the record that may be that of a value, without a branch: mostly there is one, or none.
ALWAYS_INLINE void choose(slots_function slots, const value_table *table, wanted_value *value) {
    const value_bucket *bucket = table->buckets + (value->tag & (table->bucket_count - 1));
    uint32_t matching = slots(bucket, value->tag);
    uint32_t start = bucket->starts[__builtin_ctz(matching | 1 << (value_bucket_slots - 1))];
    // Slots that are taken come first.
    bool is_full = bucket->starts[value_bucket_slots - 1] != no_slot;
    value->start = matching ? start : no_slot;
    value->otherwise = ((value->start != no_slot) | is_full) ? undecided : missed;
    const uint8_t *kept = table->records + (value->start != no_slot ? start : 0);
    __builtin_prefetch(kept);
    __builtin_prefetch(kept + value->length / 2);
    __builtin_prefetch(kept + sizeof(value_record) + value->length - 1);
}

// Compares a value with the record that may be its own, without a branch: where there is none, with itself.
ALWAYS_INLINE uint32_t found_in(same_function same, const value_table *table, const wanted_value *value, size_t steps) {
    bool has_record = value->start != no_slot;
    const uint8_t *kept = table->records + (has_record ? value->start : 0);
    value_record record = record_at(kept);
    bool may_be = has_record & (record.length == value->length);
    bool is_same = same(may_be ? kept + sizeof record : value->bytes, value->bytes, value->length, steps);
    return (may_be & is_same) ? record.found : value->otherwise;
}

ALWAYS_INLINE bool find(hash_function hash, same_function same, slots_function slots, const value_lookup_keys *keys,
                        const value_table *table, const value_column *column, uint32_t *found, size_t *value_count) {
    wanted_list together, apart;
    together.count = apart.count = 0;
    ptrdiff_t gathered = gather(column, &together, &apart);
    if (gathered < 0) return false;
    size_t steps = (size_t)gathered;
    *value_count = together.count + apart.count;
    for (size_t index = 0; index < together.count; index++) {
        wanted_value *value = together.values + index;
        value->tag = hash(keys, value->bytes, value->length, steps, NULL) & table->tag_bits;
        __builtin_prefetch(table->buckets + (value->tag & (table->bucket_count - 1)));
    }
    for (size_t index = 0; index < together.count; index++) choose(slots, table, together.values + index);
    for (size_t index = 0; index < together.count; index++) {
        wanted_value *value = together.values + index;
        uint32_t result = found_in(same, table, value, steps);
        found[value->row] = result != undecided ? result : probe(table, value);
    }
    for (size_t index = 0; index < apart.count; index++) {
        wanted_value *value = apart.values + index;
        value->tag = tag_of(hash, keys, value->bytes, value->length) & table->tag_bits;
        found[value->row] = probe(table, value);
    }
    return true;
}

#endif
