// Looks for the values of some records in a table, many at once, so that waiting for memory overlaps and nothing branches on
// what a value is or how long.
#ifndef CVALUELOOKUP_H
#define CVALUELOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The instructions that values are hashed and compared with; all find the same.
typedef enum {
    value_lookup_scalar = 0, ///< Eight bytes at a time, on every processor.
    value_lookup_neon = 1,   ///< Compares 16 bytes at a time, on ARM.
    value_lookup_avx2 = 2,   ///< AVX2 and the instructions for AES.
    value_lookup_avx512 = 3  ///< AVX-512, and those for AES 64 bytes at a time.
} value_lookup_instructions;

/// The widest instructions that this processor has.
value_lookup_instructions value_lookup_widest(void);

/// Rows that may be looked for at once, and bytes that are looked at in one step.
enum { value_lookup_rows = 64, value_lookup_step = 64 };

/// The keys of hashes: random numbers that nobody may know, so that nobody can write values that all fall into one slot.
typedef struct {
    uint64_t seed[8];
    uint64_t first[8];
    uint64_t second[8];
} value_lookup_keys;

/// The range of a value in its memory.
typedef struct {
    /// Its offset; the highest bit says that it is in the second memory; all bits, that there is no value.
    uint32_t start;
    /// The offset behind it; the highest bit says nothing.
    uint32_t end;
} value_range;

/// The values of one column in some rows.
typedef struct {
    const uint8_t *plain;
    size_t plain_count;
    /// The second memory.
    const uint8_t *copied;
    size_t copied_count;
    /// The value of the first row.
    const value_range *values;
    /// A value of the first row; a row that has that one is left out. May be null.
    const value_range *besides;
    /// The number of ranges from one row to the next.
    size_t stride;
    /// The number of rows, at most `value_lookup_rows`.
    size_t count;
} value_column;

/// Eight slots of a table; a line of the cache where it is aligned to its size. The first ones are taken first.
typedef struct {
    uint32_t tags[8];
    /// The offsets of the values' records; all bits for a free slot.
    uint32_t starts[8];
} value_bucket;

enum { value_bucket_slots = 8 };

/// The header of a kept value's record, before its bytes.
typedef struct {
    uint32_t length;
    /// The number of the result for the value.
    uint32_t found;
} value_record;

/// A table of values.
typedef struct {
    const value_bucket *buckets;
    /// The number of buckets: a power of two, and one slot or more is free.
    size_t bucket_count;
    /// The records; a step more is readable behind the last.
    const uint8_t *records;
    /// The bits of hashes that count: all, unless a test wants values to collide.
    uint32_t tag_bits;
} value_table;

/// The results of a lookup of some rows.
typedef struct {
    /// By row; 0 for a value that is not kept, and where there is none. Room for all rows.
    uint32_t *found;
    /// Takes the rows whose value is not kept, in rising order. Room for all rows.
    uint32_t *misses;
    size_t miss_count;
    /// The number of rows that had a value.
    size_t value_count;
} value_answers;

/// Looks for the values of some rows.
///
/// - Returns: True if all values lie inside their memory; otherwise nothing was looked for.
bool value_lookup(value_lookup_instructions instructions, const value_lookup_keys *keys, const value_table *table,
                  const value_column *column, value_answers *answers);

/// The tag of a value, which says where it is kept; the instructions must be those that it is looked for with.
uint32_t value_lookup_tag(value_lookup_instructions instructions, const value_lookup_keys *keys, const uint8_t *bytes,
                          size_t length);

/// The number of the result for a value; all bits if the value is not kept.
///
/// - Parameter tag: Its tag, of which only the bits that count are set.
uint32_t value_table_found(const value_table *table, uint32_t tag, const uint8_t *bytes, size_t length);

/// Puts a value into a free slot.
///
/// - Parameter start: The offset of its record.
void value_table_insert(value_bucket *buckets, size_t bucket_count, uint32_t tag, uint32_t start);

/// Makes all slots free.
void value_table_clear(value_bucket *buckets, size_t bucket_count);

/// Puts all values of a table into another one, which is empty and larger.
void value_table_move(const value_bucket *buckets, size_t bucket_count, value_bucket *larger, size_t larger_count);

/// The number of words of a sieve. It knows some values by their length and the byte in their middle: few others have both.
/// By length, the last for all that are as long or longer, it has a bit for each byte, modulo 64.
enum { value_sieve_words = 64 };

/// Adds a value to a sieve.
void value_sieve_add(uint64_t *sieve, const uint8_t *bytes, size_t length);

/// Finds the rows whose value may be one that a sieve knows.
///
/// - Parameter rows: Takes the rows, in rising order; has room for all.
/// - Returns: The number of these rows; -1 if a value does not lie inside its memory.
ptrdiff_t value_sieve_pick(const uint64_t *sieve, const value_column *column, uint32_t *rows);

#endif
