// Finds the bytes of a block that matter for its structure, so that whoever reads it need not look at the others.
#ifndef CBLOCKINDEX_H
#define CBLOCKINDEX_H

#include <stddef.h>
#include <stdint.h>

/// The instructions that bytes are compared with; all give the same answers.
typedef enum {
    block_index_scalar = 0, ///< Eight bytes at a time, on every processor.
    block_index_sse2 = 1,   ///< 16 bytes at a time.
    block_index_neon = 1,   ///< The same on ARM.
    block_index_avx2 = 2,   ///< 32 bytes at a time.
    block_index_avx512 = 3  ///< 64 bytes at a time, with VBMI2.
} block_index_instructions;

/// The widest instructions that this processor has.
block_index_instructions block_index_widest(void);

/// Some offsets, in rising order.
typedef struct {
    uint32_t *offsets;
    size_t capacity;
    size_t count;
} block_index_list;

/// Bytes that may be read behind the end of what is indexed.
enum { block_index_padding = 128 };

/// Finds the newlines of a block, and its carriage returns.
///
/// Stops where a list might become full.
///
/// - Parameters:
///   - instructions: The instructions to compare with; falls back to those of the processor.
///   - bytes: The block; `block_index_padding` bytes behind its end are readable.
///   - count: Its length, at most 2^32 - 1.
///   - newlines: Takes the offsets of `\n`; its `count` starts at 0.
///   - irregular: Takes the offsets of `\r`.
/// - Returns: The offset up to which the block is indexed.
size_t block_index_lines(block_index_instructions instructions, const uint8_t *bytes, size_t count,
                         block_index_list *newlines, block_index_list *irregular);

/// Finds what separates the members of JSON objects, one object a line.
///
/// Stops where a list might become full.
///
/// - Parameters:
///   - delimiters: Takes the offsets of `\n`, and those of the first quote of each `","`.
///   - quotes: Takes, for each `\n`, the number of quotes before it in the block.
///   - irregular: Takes the offsets of backslashes, and of bytes below 0x20 other than `\n`.
/// - Returns: The offset up to which the block is indexed.
size_t block_index_objects(block_index_instructions instructions, const uint8_t *bytes, size_t count,
                           block_index_list *delimiters, block_index_list *quotes, block_index_list *irregular);

#endif
