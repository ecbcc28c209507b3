// Checks that each way of comparing many bytes at a time finds what looking at byte after byte does, and reads nothing
// behind the memory that it is given: a page that nobody may read is there.
//
// `make check-vectors` runs it on this machine, and for ARM under qemu.
#include "CBlockIndex.h"
#include "CValueLookup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { rooms = 1 << 20, rounds = 2000, kept_values = 300 };

static uint64_t state = 1;

// xorshift64*
static uint32_t below(uint32_t bound) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (uint32_t)((state * 0x2545F4914F6CDD1D) >> 32) % bound;
}

static void check(int is_right, const char *what, int instructions, int round) {
    if (is_right) return;
    fprintf(stderr, "%s: instructions %d, round %d\n", what, instructions, round);
    exit(1);
}

// The end of some memory, behind which nobody may read.
static uint8_t *guarded_end(void) {
    uint8_t *start = mmap(NULL, rooms + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + rooms, 65536, PROT_NONE)) exit(2);
    return start + rooms;
}

// MARK: - The index of a block

typedef struct {
    uint32_t offsets[8192];
    block_index_list list;
} offset_list;

static void empty(offset_list *list) { list->list = (block_index_list){list->offsets, 8192, 0}; }

static void add(offset_list *list, size_t offset) { list->offsets[list->list.count++] = (uint32_t)offset; }

static int same_lists(const offset_list *left, const offset_list *right) {
    return left->list.count == right->list.count &&
           memcmp(left->offsets, right->offsets, left->list.count * sizeof left->offsets[0]) == 0;
}

static void index_slowly(const uint8_t *bytes, size_t count, int is_text, offset_list lists[3]) {
    uint32_t quotes = 0;
    for (size_t offset = 0; offset < count; offset++) {
        uint8_t byte = bytes[offset];
        if (byte == '\n') {
            add(&lists[0], offset);
            if (!is_text) add(&lists[1], quotes);
        } else if (is_text ? byte == '\r' : byte < 0x20 || byte == '\\') {
            add(&lists[2], offset);
        } else if (!is_text && byte == '"') {
            if (bytes[offset + 1] == ',' && bytes[offset + 2] == '"') add(&lists[0], offset);
            quotes++;
        }
    }
}

static void check_index(int instructions, int round, uint8_t *end) {
    static const char alphabet[] = "\n\r\",\\ab{}:\t\x1F \x7F\x80\xDC\xFF";
    static offset_list found[3], expected[3];
    size_t count = below(3000);
    uint8_t *bytes = end - block_index_padding - count;
    for (size_t offset = 0; offset < count + block_index_padding; offset++)
        bytes[offset] = (uint8_t)alphabet[below(sizeof alphabet)];
    for (int tries = 0; count > 3 && tries < 30; tries++) memcpy(bytes + below((uint32_t)count - 3), "\",\"", 3);
    for (int is_text = 0; is_text < 2; is_text++) {
        for (int list = 0; list < 3; list++) empty(&found[list]), empty(&expected[list]);
        index_slowly(bytes, count, is_text, expected);
        size_t indexed = is_text
                             ? block_index_lines(instructions, bytes, count, &found[0].list, &found[2].list)
                             : block_index_objects(instructions, bytes, count, &found[0].list, &found[1].list,
                                                   &found[2].list);
        check(indexed == count, "the index is cut", instructions, round);
        for (int list = 0; list < 3; list++)
            check(same_lists(&found[list], &expected[list]), "the index differs", instructions, round);
    }
}

// MARK: - Values

static size_t some_length(void) {
    static const size_t steps[] = {16, 32, 64, 128, 256, 512};
    return below(2) ? below(300) : steps[below(6)] + below(3) - 1;
}

// Values of one length have their starts and ends in common.
static void write_value(uint8_t *bytes, size_t length) {
    memset(bytes, 'v', length);
    if (length) bytes[below((uint32_t)length)] = (uint8_t)below(256);
}

typedef struct {
    uint8_t *plain;
    size_t plain_count;
    value_range ranges[2 * value_lookup_rows];
    size_t count;
} test_rows;

// The last value ends where the memory does.
static void fill(test_rows *rows, uint8_t *end) {
    size_t lengths[value_lookup_rows];
    rows->count = 1 + below(value_lookup_rows), rows->plain_count = 0;
    for (size_t row = 0; row < rows->count; row++) rows->plain_count += lengths[row] = some_length();
    rows->plain = end - rows->plain_count;
    uint32_t start = 0;
    for (size_t row = 0; row < rows->count; row++) {
        write_value(rows->plain + start, lengths[row]);
        rows->ranges[2 * row] = (value_range){start, start + (uint32_t)lengths[row]};
        rows->ranges[2 * row + 1] = (value_range){UINT32_MAX, UINT32_MAX};
        if (below(10) == 0) rows->ranges[2 * row + below(2)] = rows->ranges[2 * row + 1];
        if (below(10) == 0) rows->ranges[2 * row + 1] = (value_range){0, 0};
        start += (uint32_t)lengths[row];
    }
}

typedef struct {
    value_bucket buckets[128];
    uint8_t records[kept_values * 600];
    size_t length;
    uint32_t starts[kept_values];
    uint32_t count;
} test_table;

static uint32_t find_slowly(const test_table *table, const uint8_t *bytes, size_t length) {
    for (uint32_t number = 0; number < table->count; number++) {
        value_record record;
        memcpy(&record, table->records + table->starts[number], sizeof record);
        if (record.length == length && !memcmp(table->records + table->starts[number] + sizeof record, bytes, length))
            return record.found;
    }
    return 0;
}

static void keep(test_table *table, const uint8_t *bytes, size_t length, uint32_t tag) {
    if (table->count >= kept_values || find_slowly(table, bytes, length)) return;
    value_record record = {(uint32_t)length, table->count + 1};
    table->starts[table->count++] = (uint32_t)table->length;
    value_table_insert(table->buckets, 128, tag, (uint32_t)table->length);
    memcpy(table->records + table->length, &record, sizeof record);
    memcpy(table->records + table->length + sizeof record, bytes, length);
    table->length += sizeof record + length;
}

static void check_rows(int instructions, int round, uint32_t tag_bits, const value_lookup_keys *keys, test_table *kept,
                       const test_rows *rows) {
    uint32_t found[value_lookup_rows], misses[value_lookup_rows];
    size_t miss_count = 0, value_count = 0;
    value_table table = {kept->buckets, 128, kept->records, tag_bits};
    value_column column = {rows->plain, rows->plain_count, rows->plain, 0, rows->ranges, rows->ranges + 1, 2, rows->count};
    value_answers answers = {found, misses, 0, 0};
    check(value_lookup(instructions, keys, &table, &column, &answers), "rows are refused", instructions, round);
    for (size_t row = 0; row < rows->count; row++) {
        value_range value = rows->ranges[2 * row];
        int is_there = value.start != UINT32_MAX && rows->ranges[2 * row + 1].start == UINT32_MAX;
        uint32_t expected = is_there ? find_slowly(kept, rows->plain + value.start, value.end - value.start) : 0;
        check(found[row] == expected, "another value is found", instructions, round);
        value_count += (size_t)is_there;
        if (!is_there || expected) continue;
        check(misses[miss_count++] == row, "a miss is missing", instructions, round);
    }
    check(answers.miss_count == miss_count, "there are too many misses", instructions, round);
    check(answers.value_count == value_count, "values are miscounted", instructions, round);
    for (size_t miss = 0; miss < miss_count; miss++) {
        value_range value = rows->ranges[2 * misses[miss]];
        const uint8_t *bytes = rows->plain + value.start;
        size_t length = value.end - value.start;
        keep(kept, bytes, length, value_lookup_tag(instructions, keys, bytes, length) & tag_bits);
    }
}

int main(void) {
    static test_table table;
    static test_rows rows;
    uint8_t *end = guarded_end();
    value_lookup_keys keys;
    for (size_t offset = 0; offset < sizeof keys; offset++) ((uint8_t *)&keys)[offset] = (uint8_t)below(256);
    for (int instructions = 0; instructions < 4; instructions++) {
        for (int round = 0; round < rounds; round++) {
            check_index(instructions, round, end);
            if (round % 50 == 0) {
                memset(&table, 0, sizeof table);
                value_table_clear(table.buckets, 128);
            }
            fill(&rows, end);
            check_rows(instructions, round, round % 150 < 100 ? UINT32_MAX : 1, &keys, &table, &rows);
        }
    }
    printf("index up to %d, values up to %d: all find the same\n", block_index_widest(), value_lookup_widest());
}
