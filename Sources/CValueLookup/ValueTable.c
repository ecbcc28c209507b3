#include "ValueTable.h"

// Goes over all slots that may hold the value.
uint32_t value_table_found(const value_table *table, uint32_t tag, const uint8_t *bytes, size_t length) {
    size_t mask = table->bucket_count - 1;
    for (size_t number = tag & mask;; number = (number + 1) & mask) {
        const value_bucket *bucket = table->buckets + number;
        for (int slot = 0; slot < value_bucket_slots; slot++) {
            if (bucket->starts[slot] == no_slot) return missed;
            if (bucket->tags[slot] != tag) continue;
            const uint8_t *kept = table->records + bucket->starts[slot];
            value_record record = record_at(kept);
            if (record.length == length && memcmp(kept + sizeof record, bytes, length) == 0)
                return record.found;
        }
    }
}

void value_table_insert(value_bucket *buckets, size_t bucket_count, uint32_t tag, uint32_t start) {
    size_t mask = bucket_count - 1;
    for (size_t number = tag & mask;; number = (number + 1) & mask) {
        value_bucket *bucket = buckets + number;
        for (int slot = 0; slot < value_bucket_slots; slot++) {
            if (bucket->starts[slot] != no_slot) continue;
            bucket->tags[slot] = tag, bucket->starts[slot] = start;
            return;
        }
    }
}

void value_table_clear(value_bucket *buckets, size_t bucket_count) {
    memset(buckets, 0xFF, bucket_count * sizeof *buckets);
}

void value_table_move(const value_bucket *buckets, size_t bucket_count, value_bucket *larger, size_t larger_count) {
    for (size_t number = 0; number < bucket_count; number++) {
        const value_bucket *bucket = buckets + number;
        for (int slot = 0; slot < value_bucket_slots && bucket->starts[slot] != no_slot; slot++)
            value_table_insert(larger, larger_count, bucket->tags[slot], bucket->starts[slot]);
    }
}
