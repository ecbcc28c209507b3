#include "CBlockIndex.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Bytes that are looked at in one step; a bit for each fits a word.
enum { step_bytes = 64 };

// A bit for each byte of a step.
typedef struct {
    uint64_t newlines;
    uint64_t irregular;
} line_masks;

typedef struct {
    uint64_t newlines;
    uint64_t quotes;
    uint64_t commas;
    uint64_t irregular;
} object_masks;

// Eight bytes at a time.

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static const uint64_t ones = 0x0101010101010101, sevens = 0x7F7F7F7F7F7F7F7F;

// The highest bit of each byte that is 0; of no other one.
static inline uint64_t zero_bytes(uint64_t word) { return ~(((word & sevens) + sevens) | word | sevens); }

static inline uint64_t equal_bytes(uint64_t word, uint8_t byte) { return zero_bytes(word ^ (ones * byte)); }

// The highest bit of each byte below 0x20.
static inline uint64_t control_bytes(uint64_t word) { return zero_bytes(word & (ones * 0xE0)); }

// The highest bits of eight bytes as eight bits.
static inline uint64_t packed(uint64_t highest) { return ((highest >> 7) * 0x0102040810204080) >> 56; }

static inline line_masks line_masks_scalar(const uint8_t *bytes) {
    line_masks masks = {0, 0};
    for (int index = 0; index < step_bytes / 8; index++) {
        uint64_t word = word_at(bytes + 8 * index);
        masks.newlines |= packed(equal_bytes(word, '\n')) << (8 * index);
        masks.irregular |= packed(equal_bytes(word, '\r')) << (8 * index);
    }
    return masks;
}

static inline object_masks object_masks_scalar(const uint8_t *bytes) {
    object_masks masks = {0, 0, 0, 0};
    for (int index = 0; index < step_bytes / 8; index++) {
        uint64_t word = word_at(bytes + 8 * index), newlines = equal_bytes(word, '\n');
        uint64_t irregular = (control_bytes(word) & ~newlines) | equal_bytes(word, '\\');
        masks.newlines |= packed(newlines) << (8 * index);
        masks.quotes |= packed(equal_bytes(word, '"')) << (8 * index);
        masks.commas |= packed(equal_bytes(word, ',')) << (8 * index);
        masks.irregular |= packed(irregular) << (8 * index);
    }
    return masks;
}

#if defined(__x86_64__)

static inline line_masks line_masks_sse2(const uint8_t *bytes) {
    line_masks masks = {0, 0};
    for (int index = 0; index < step_bytes / 16; index++) {
        __m128i part = _mm_loadu_si128((const __m128i *)(bytes + 16 * index));
        uint64_t newlines = (uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8('\n')));
        uint64_t irregular = (uint16_t)_mm_movemask_epi8(_mm_cmpeq_epi8(part, _mm_set1_epi8('\r')));
        masks.newlines |= newlines << (16 * index);
        masks.irregular |= irregular << (16 * index);
    }
    return masks;
}

static inline object_masks object_masks_sse2(const uint8_t *bytes) {
    object_masks masks = {0, 0, 0, 0};
    for (int index = 0; index < step_bytes / 16; index++) {
        __m128i part = _mm_loadu_si128((const __m128i *)(bytes + 16 * index));
        __m128i newlines = _mm_cmpeq_epi8(part, _mm_set1_epi8('\n'));
        __m128i quotes = _mm_cmpeq_epi8(part, _mm_set1_epi8('"'));
        __m128i commas = _mm_cmpeq_epi8(part, _mm_set1_epi8(','));
        __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1F)), part);
        __m128i escapes = _mm_cmpeq_epi8(part, _mm_set1_epi8('\\'));
        __m128i irregular = _mm_or_si128(_mm_andnot_si128(newlines, controls), escapes);
        masks.newlines |= (uint64_t)(uint16_t)_mm_movemask_epi8(newlines) << (16 * index);
        masks.quotes |= (uint64_t)(uint16_t)_mm_movemask_epi8(quotes) << (16 * index);
        masks.commas |= (uint64_t)(uint16_t)_mm_movemask_epi8(commas) << (16 * index);
        masks.irregular |= (uint64_t)(uint16_t)_mm_movemask_epi8(irregular) << (16 * index);
    }
    return masks;
}

#define WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))

WITH_AVX2 static inline line_masks line_masks_avx2(const uint8_t *bytes) {
    line_masks masks = {0, 0};
    for (int index = 0; index < step_bytes / 32; index++) {
        __m256i part = _mm256_loadu_si256((const __m256i *)(bytes + 32 * index));
        uint64_t newlines = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8('\n')));
        uint64_t irregular = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(part, _mm256_set1_epi8('\r')));
        masks.newlines |= newlines << (32 * index);
        masks.irregular |= irregular << (32 * index);
    }
    return masks;
}

WITH_AVX2 static inline object_masks object_masks_avx2(const uint8_t *bytes) {
    object_masks masks = {0, 0, 0, 0};
    for (int index = 0; index < step_bytes / 32; index++) {
        __m256i part = _mm256_loadu_si256((const __m256i *)(bytes + 32 * index));
        __m256i newlines = _mm256_cmpeq_epi8(part, _mm256_set1_epi8('\n'));
        __m256i quotes = _mm256_cmpeq_epi8(part, _mm256_set1_epi8('"'));
        __m256i commas = _mm256_cmpeq_epi8(part, _mm256_set1_epi8(','));
        __m256i controls = _mm256_cmpeq_epi8(_mm256_min_epu8(part, _mm256_set1_epi8(0x1F)), part);
        __m256i escapes = _mm256_cmpeq_epi8(part, _mm256_set1_epi8('\\'));
        __m256i irregular = _mm256_or_si256(_mm256_andnot_si256(newlines, controls), escapes);
        masks.newlines |= (uint64_t)(uint32_t)_mm256_movemask_epi8(newlines) << (32 * index);
        masks.quotes |= (uint64_t)(uint32_t)_mm256_movemask_epi8(quotes) << (32 * index);
        masks.commas |= (uint64_t)(uint32_t)_mm256_movemask_epi8(commas) << (32 * index);
        masks.irregular |= (uint64_t)(uint32_t)_mm256_movemask_epi8(irregular) << (32 * index);
    }
    return masks;
}

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,bmi,popcnt")))

WITH_AVX512 static inline line_masks line_masks_avx512(const uint8_t *bytes) {
    __m512i part = _mm512_loadu_si512(bytes);
    return (line_masks){_mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('\n')),
                        _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('\r'))};
}

WITH_AVX512 static inline object_masks object_masks_avx512(const uint8_t *bytes) {
    __m512i part = _mm512_loadu_si512(bytes);
    uint64_t newlines = _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('\n'));
    uint64_t quotes = _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('"'));
    uint64_t commas = _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8(','));
    uint64_t controls = _mm512_cmplt_epu8_mask(part, _mm512_set1_epi8(0x20));
    uint64_t escapes = _mm512_cmpeq_epi8_mask(part, _mm512_set1_epi8('\\'));
    return (object_masks){newlines, quotes, commas, (controls & ~newlines) | escapes};
}

#endif

// The bits of the bytes that are left.
static inline uint64_t within(size_t left) { return left >= step_bytes ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1; }

// A step finds mostly fewer than this. So many are written whatever the mask, since a loop that ends anew at each step is
// what the processor guesses wrong.
enum { usual_bits = 4 };

// The offset of the lowest bit; any number where there is none.
static inline uint32_t lowest(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask | (uint64_t)1 << 63); }

// Adds the offsets of the bits of a mask; there is room for those of a whole step.
__attribute__((always_inline)) static inline void add(block_index_list *list, uint64_t mask, size_t offset) {
    uint32_t *next = list->offsets + list->count;
    size_t count = (size_t)__builtin_popcountll(mask);
    list->count += count;
    for (int index = 0; index < usual_bits; index++) {
        next[index] = (uint32_t)offset + lowest(mask);
        mask &= mask - 1;
    }
    for (size_t index = usual_bits; index < count; index++) {
        next[index] = (uint32_t)offset + lowest(mask);
        mask &= mask - 1;
    }
}

// A step finds at most as many offsets as it has bytes.
static inline int has_room(const block_index_list *list) { return list->capacity - list->count >= step_bytes; }

#define LINES(name, attribute, masks_of)                                                                             \
    attribute static size_t name(const uint8_t *bytes, size_t count, block_index_list *newlines,                     \
                                 block_index_list *irregular) {                                                      \
        size_t offset = 0;                                                                                           \
        for (; offset < count && has_room(newlines) && has_room(irregular); offset += step_bytes) {                  \
            line_masks masks = masks_of(bytes + offset);                                                             \
            uint64_t valid = within(count - offset);                                                                 \
            add(newlines, masks.newlines & valid, offset);                                                           \
            if (masks.irregular & valid) add(irregular, masks.irregular & valid, offset);                            \
        }                                                                                                            \
        return offset < count ? offset : count;                                                                      \
    }

// `","` may go on in the step behind, so that each step is looked at when the next one is known.
static inline uint64_t separators(const object_masks *step, const object_masks *next) {
    uint64_t commas = (step->commas >> 1) | (next->commas << 63);
    return step->quotes & commas & ((step->quotes >> 2) | (next->quotes << 62));
}

#define OBJECTS(name, attribute, masks_of)                                                                           \
    attribute static size_t name(const uint8_t *bytes, size_t count, block_index_list *delimiters,                   \
                                 block_index_list *quotes, block_index_list *irregular) {                            \
        size_t offset = 0;                                                                                           \
        uint32_t quote_count = 0;                                                                                    \
        object_masks next = masks_of(bytes);                                                                         \
        for (; offset < count && has_room(delimiters) && has_room(quotes) && has_room(irregular);                    \
             offset += step_bytes) {                                                                                 \
            object_masks masks = next;                                                                               \
            next = masks_of(bytes + offset + step_bytes);                                                            \
            uint64_t valid = within(count - offset), newlines = masks.newlines & valid;                              \
            add(delimiters, newlines | (separators(&masks, &next) & valid), offset);                                 \
            for (; newlines; newlines &= newlines - 1) {                                                             \
                uint64_t before = (newlines & (0 - newlines)) - 1;                                                   \
                uint32_t passed = (uint32_t)__builtin_popcountll(masks.quotes & before);                             \
                quotes->offsets[quotes->count++] = quote_count + passed;                                             \
            }                                                                                                        \
            quote_count += (uint32_t)__builtin_popcountll(masks.quotes & valid);                                     \
            if (masks.irregular & valid) add(irregular, masks.irregular & valid, offset);                            \
        }                                                                                                            \
        return offset < count ? offset : count;                                                                      \
    }

LINES(lines_scalar, , line_masks_scalar)
OBJECTS(objects_scalar, , object_masks_scalar)

#if defined(__x86_64__)

LINES(lines_sse2, , line_masks_sse2)
OBJECTS(objects_sse2, , object_masks_sse2)
LINES(lines_avx2, WITH_AVX2, line_masks_avx2)
OBJECTS(objects_avx2, WITH_AVX2, object_masks_avx2)
LINES(lines_avx512, WITH_AVX512, line_masks_avx512)
OBJECTS(objects_avx512, WITH_AVX512, object_masks_avx512)

// Every x86-64 processor has SSE2.
block_index_instructions block_index_widest(void) {
    int counts_bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (!counts_bits || !__builtin_cpu_supports("avx2")) return block_index_sse2;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") ? block_index_avx512
                                                                                   : block_index_avx2;
}

#else

block_index_instructions block_index_widest(void) { return block_index_scalar; }

#endif

static block_index_instructions available(block_index_instructions instructions) {
    block_index_instructions widest = block_index_widest();
    return instructions < widest ? instructions : widest;
}

size_t block_index_lines(block_index_instructions instructions, const uint8_t *bytes, size_t count,
                         block_index_list *newlines, block_index_list *irregular) {
    switch (available(instructions)) {
#if defined(__x86_64__)
    case block_index_avx512: return lines_avx512(bytes, count, newlines, irregular);
    case block_index_avx2: return lines_avx2(bytes, count, newlines, irregular);
    case block_index_sse2: return lines_sse2(bytes, count, newlines, irregular);
#endif
    default: return lines_scalar(bytes, count, newlines, irregular);
    }
}

size_t block_index_objects(block_index_instructions instructions, const uint8_t *bytes, size_t count,
                           block_index_list *delimiters, block_index_list *quotes, block_index_list *irregular) {
    switch (available(instructions)) {
#if defined(__x86_64__)
    case block_index_avx512: return objects_avx512(bytes, count, delimiters, quotes, irregular);
    case block_index_avx2: return objects_avx2(bytes, count, delimiters, quotes, irregular);
    case block_index_sse2: return objects_sse2(bytes, count, delimiters, quotes, irregular);
#endif
    default: return objects_scalar(bytes, count, delimiters, quotes, irregular);
    }
}
