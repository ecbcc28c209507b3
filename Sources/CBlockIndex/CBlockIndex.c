#include "CBlockIndex.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

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
    uint64_t separators;
    uint64_t irregular;
} object_masks;

// The first quotes of `","`, which may continue in the two bytes behind the step.
ALWAYS_INLINE uint64_t separators_of(uint64_t quotes, uint64_t commas, const uint8_t *behind) {
    uint64_t next = (commas >> 1) | (uint64_t)(behind[0] == ',') << 63;
    uint64_t other = (quotes >> 2) | (uint64_t)(behind[0] == '"') << 62 | (uint64_t)(behind[1] == '"') << 63;
    return quotes & next & other;
}

// The functions of which each set of instructions has its own version.
typedef line_masks line_masks_function(const uint8_t *bytes);
typedef object_masks object_masks_function(const uint8_t *bytes);
// Adds the offsets of the bits of a mask; there is room for those of a whole step.
typedef void add_function(block_index_list *list, uint64_t mask, size_t offset);

// MARK: - Any instructions

// The bits of the bytes that are left.
ALWAYS_INLINE uint64_t within(size_t left) { return left >= step_bytes ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1; }

// A step finds at most as many offsets as it has bytes.
ALWAYS_INLINE int has_room(const block_index_list *list) { return list->capacity - list->count >= step_bytes; }

ALWAYS_INLINE size_t index_lines(line_masks_function masks_of, add_function add, const uint8_t *bytes, size_t count,
                                 block_index_list *newlines, block_index_list *irregular) {
    size_t offset = 0;
    for (; offset < count && has_room(newlines) && has_room(irregular); offset += step_bytes) {
        line_masks masks = masks_of(bytes + offset);
        uint64_t valid = within(count - offset);
        add(newlines, masks.newlines & valid, offset);
        if (masks.irregular & valid) add(irregular, masks.irregular & valid, offset);
    }
    return offset < count ? offset : count;
}

// Adds the number of quotes before each newline. There is mostly one, or none, which is done without a branch if the
// processor counts bits in one instruction.
ALWAYS_INLINE void count_quotes(block_index_list *list, uint32_t passed, const object_masks *masks, uint64_t newlines,
                                bool counts_bits) {
    if (!counts_bits && !newlines) return;
    do {
        uint64_t before = (newlines & (0 - newlines)) - 1;
        list->offsets[list->count] = passed + (uint32_t)__builtin_popcountll(masks->quotes & before);
        list->count += newlines != 0;
        newlines &= newlines - 1;
    } while (newlines);
}

ALWAYS_INLINE size_t index_objects(object_masks_function masks_of, add_function add, bool counts_bits,
                                   const uint8_t *bytes, size_t count, block_index_list *delimiters,
                                   block_index_list *quotes, block_index_list *irregular) {
    size_t offset = 0;
    uint32_t passed = 0;
    for (; offset < count && has_room(delimiters) && has_room(quotes) && has_room(irregular); offset += step_bytes) {
        object_masks masks = masks_of(bytes + offset);
        uint64_t valid = within(count - offset), newlines = masks.newlines & valid;
        add(delimiters, newlines | (masks.separators & valid), offset);
        count_quotes(quotes, passed, &masks, newlines, counts_bits);
        passed += (uint32_t)__builtin_popcountll(masks.quotes & valid);
        if (masks.irregular & valid) add(irregular, masks.irregular & valid, offset);
    }
    return offset < count ? offset : count;
}

// A step finds mostly fewer than this. This number is written whatever the mask, since a loop that ends anew at each step is
// what the processor guesses wrong.
enum { usual_bits = 4 };

// The offset of the lowest bit; any number where there is none.
ALWAYS_INLINE uint32_t lowest(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask | (uint64_t)1 << 63); }

ALWAYS_INLINE void add_one_by_one(block_index_list *list, uint64_t mask, size_t offset) {
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

// MARK: - Eight bytes at a time

ALWAYS_INLINE uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static const uint64_t ones = 0x0101010101010101, sevens = 0x7F7F7F7F7F7F7F7F;

// The highest bit of each byte that is 0; of no other one.
ALWAYS_INLINE uint64_t zero_bytes(uint64_t word) { return ~(((word & sevens) + sevens) | word | sevens); }

ALWAYS_INLINE uint64_t equal_bytes(uint64_t word, uint8_t byte) { return zero_bytes(word ^ (ones * byte)); }

// The highest bit of each byte below 0x20.
ALWAYS_INLINE uint64_t control_bytes(uint64_t word) { return zero_bytes(word & (ones * 0xE0)); }

// The highest bits of eight bytes as eight bits.
ALWAYS_INLINE uint64_t packed(uint64_t highest) { return ((highest >> 7) * 0x0102040810204080) >> 56; }

ALWAYS_INLINE line_masks line_masks_scalar(const uint8_t *bytes) {
    line_masks masks = {0, 0};
    for (int index = 0; index < step_bytes / 8; index++) {
        uint64_t word = word_at(bytes + 8 * index);
        masks.newlines |= packed(equal_bytes(word, '\n')) << (8 * index);
        masks.irregular |= packed(equal_bytes(word, '\r')) << (8 * index);
    }
    return masks;
}

ALWAYS_INLINE object_masks object_masks_scalar(const uint8_t *bytes) {
    object_masks masks = {0, 0, 0, 0};
    uint64_t commas = 0;
    for (int index = 0; index < step_bytes / 8; index++) {
        uint64_t word = word_at(bytes + 8 * index), newlines = equal_bytes(word, '\n');
        uint64_t irregular = (control_bytes(word) & ~newlines) | equal_bytes(word, '\\');
        masks.newlines |= packed(newlines) << (8 * index);
        masks.quotes |= packed(equal_bytes(word, '"')) << (8 * index);
        commas |= packed(equal_bytes(word, ',')) << (8 * index);
        masks.irregular |= packed(irregular) << (8 * index);
    }
    masks.separators = separators_of(masks.quotes, commas, bytes + step_bytes);
    return masks;
}

static size_t lines_scalar(const uint8_t *bytes, size_t count, block_index_list *newlines, block_index_list *irregular) {
    return index_lines(line_masks_scalar, add_one_by_one, bytes, count, newlines, irregular);
}

static size_t objects_scalar(const uint8_t *bytes, size_t count, block_index_list *delimiters, block_index_list *quotes,
                             block_index_list *irregular) {
    return index_objects(object_masks_scalar, add_one_by_one, false, bytes, count, delimiters, quotes, irregular);
}

#if defined(__x86_64__)

// MARK: - SSE2, which every x86-64 processor has

ALWAYS_INLINE __m128i part_sse2(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

ALWAYS_INLINE __m128i equal_sse2(__m128i part, char byte) { return _mm_cmpeq_epi8(part, _mm_set1_epi8(byte)); }

ALWAYS_INLINE uint64_t bits_sse2(__m128i part) { return (uint16_t)_mm_movemask_epi8(part); }

ALWAYS_INLINE line_masks line_masks_sse2(const uint8_t *bytes) {
    line_masks masks = {0, 0};
    for (int start = 0; start < step_bytes; start += 16) {
        __m128i part = part_sse2(bytes + start);
        masks.newlines |= bits_sse2(equal_sse2(part, '\n')) << start;
        masks.irregular |= bits_sse2(equal_sse2(part, '\r')) << start;
    }
    return masks;
}

ALWAYS_INLINE object_masks object_masks_sse2(const uint8_t *bytes) {
    object_masks masks = {0, 0, 0, 0};
    uint64_t commas = 0;
    for (int start = 0; start < step_bytes; start += 16) {
        __m128i part = part_sse2(bytes + start), newlines = equal_sse2(part, '\n');
        __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1F)), part);
        __m128i irregular = _mm_or_si128(_mm_andnot_si128(newlines, controls), equal_sse2(part, '\\'));
        masks.newlines |= bits_sse2(newlines) << start;
        masks.quotes |= bits_sse2(equal_sse2(part, '"')) << start;
        commas |= bits_sse2(equal_sse2(part, ',')) << start;
        masks.irregular |= bits_sse2(irregular) << start;
    }
    masks.separators = separators_of(masks.quotes, commas, bytes + step_bytes);
    return masks;
}

static size_t lines_sse2(const uint8_t *bytes, size_t count, block_index_list *newlines, block_index_list *irregular) {
    return index_lines(line_masks_sse2, add_one_by_one, bytes, count, newlines, irregular);
}

static size_t objects_sse2(const uint8_t *bytes, size_t count, block_index_list *delimiters, block_index_list *quotes,
                           block_index_list *irregular) {
    return index_objects(object_masks_sse2, add_one_by_one, false, bytes, count, delimiters, quotes, irregular);
}

// MARK: - AVX2

#define WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))

WITH_AVX2 ALWAYS_INLINE __m256i part_avx2(const uint8_t *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

WITH_AVX2 ALWAYS_INLINE __m256i equal_avx2(__m256i part, char byte) {
    return _mm256_cmpeq_epi8(part, _mm256_set1_epi8(byte));
}

WITH_AVX2 ALWAYS_INLINE uint64_t bits_avx2(__m256i part) { return (uint32_t)_mm256_movemask_epi8(part); }

WITH_AVX2 ALWAYS_INLINE line_masks line_masks_avx2(const uint8_t *bytes) {
    line_masks masks = {0, 0};
    for (int start = 0; start < step_bytes; start += 32) {
        __m256i part = part_avx2(bytes + start);
        masks.newlines |= bits_avx2(equal_avx2(part, '\n')) << start;
        masks.irregular |= bits_avx2(equal_avx2(part, '\r')) << start;
    }
    return masks;
}

WITH_AVX2 ALWAYS_INLINE object_masks object_masks_avx2(const uint8_t *bytes) {
    object_masks masks = {0, 0, 0, 0};
    uint64_t commas = 0;
    for (int start = 0; start < step_bytes; start += 32) {
        __m256i part = part_avx2(bytes + start), newlines = equal_avx2(part, '\n');
        __m256i controls = _mm256_cmpeq_epi8(_mm256_min_epu8(part, _mm256_set1_epi8(0x1F)), part);
        __m256i irregular = _mm256_or_si256(_mm256_andnot_si256(newlines, controls), equal_avx2(part, '\\'));
        masks.newlines |= bits_avx2(newlines) << start;
        masks.quotes |= bits_avx2(equal_avx2(part, '"')) << start;
        commas |= bits_avx2(equal_avx2(part, ',')) << start;
        masks.irregular |= bits_avx2(irregular) << start;
    }
    masks.separators = separators_of(masks.quotes, commas, bytes + step_bytes);
    return masks;
}

WITH_AVX2 static size_t lines_avx2(const uint8_t *bytes, size_t count, block_index_list *newlines,
                                   block_index_list *irregular) {
    return index_lines(line_masks_avx2, add_one_by_one, bytes, count, newlines, irregular);
}

WITH_AVX2 static size_t objects_avx2(const uint8_t *bytes, size_t count, block_index_list *delimiters,
                                     block_index_list *quotes, block_index_list *irregular) {
    return index_objects(object_masks_avx2, add_one_by_one, true, bytes, count, delimiters, quotes, irregular);
}

// MARK: - AVX-512

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))

WITH_AVX512 ALWAYS_INLINE __mmask64 equal_avx512(__mmask64 among, const uint8_t *bytes, char byte) {
    return _mm512_mask_cmpeq_epi8_mask(among, _mm512_loadu_si512(bytes), _mm512_set1_epi8(byte));
}

WITH_AVX512 ALWAYS_INLINE line_masks line_masks_avx512(const uint8_t *bytes) {
    return (line_masks){equal_avx512(~(__mmask64)0, bytes, '\n'), equal_avx512(~(__mmask64)0, bytes, '\r')};
}

WITH_AVX512 ALWAYS_INLINE object_masks object_masks_avx512(const uint8_t *bytes) {
    __mmask64 all = ~(__mmask64)0, newlines = equal_avx512(all, bytes, '\n'), quotes = equal_avx512(all, bytes, '"');
    __mmask64 separators = separators_of(quotes, equal_avx512(all, bytes, ','), bytes + step_bytes);
    __mmask64 controls = _mm512_cmplt_epu8_mask(_mm512_loadu_si512(bytes), _mm512_set1_epi8(0x20));
    return (object_masks){newlines, quotes, separators, (controls & ~newlines) | equal_avx512(all, bytes, '\\')};
}

// The numbers of the bytes of a step.
static const uint8_t numbers[step_bytes] __attribute__((aligned(64))) = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

// Sixteen at a time, which are mostly all.
WITH_AVX512 ALWAYS_INLINE void add_avx512(block_index_list *list, uint64_t mask, size_t offset) {
    uint32_t *next = list->offsets + list->count;
    size_t count = (size_t)__builtin_popcountll(mask);
    list->count += count;
    __m512i found = _mm512_maskz_compress_epi8(mask, _mm512_load_si512(numbers));
    __m512i start = _mm512_set1_epi32((int)(uint32_t)offset);
    _mm512_storeu_si512(next, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(found)), start));
    for (size_t index = 16; index < count; index += 16) {
        uint8_t rest[step_bytes];
        _mm512_storeu_si512(rest, found);
        __m128i some = _mm_loadu_si128((const __m128i *)(rest + index));
        _mm512_storeu_si512(next + index, _mm512_add_epi32(_mm512_cvtepu8_epi32(some), start));
    }
}

WITH_AVX512 static size_t lines_avx512(const uint8_t *bytes, size_t count, block_index_list *newlines,
                                       block_index_list *irregular) {
    return index_lines(line_masks_avx512, add_avx512, bytes, count, newlines, irregular);
}

WITH_AVX512 static size_t objects_avx512(const uint8_t *bytes, size_t count, block_index_list *delimiters,
                                         block_index_list *quotes, block_index_list *irregular) {
    return index_objects(object_masks_avx512, add_avx512, true, bytes, count, delimiters, quotes, irregular);
}

block_index_instructions block_index_widest(void) {
    int counts_bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (!counts_bits || !__builtin_cpu_supports("avx2")) return block_index_sse2;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vbmi2")
               ? block_index_avx512
               : block_index_avx2;
}

#elif defined(__aarch64__)

// MARK: - NEON, which every processor of 64-bit ARM has

ALWAYS_INLINE uint8x16_t equal_neon(uint8x16_t part, char byte) { return vceqq_u8(part, vdupq_n_u8((uint8_t)byte)); }

// A bit for each byte of a step that is not 0.
ALWAYS_INLINE uint64_t bits_neon(const uint8x16_t parts[4]) {
    static const uint8_t each[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vld1q_u8(each);
    uint8x16_t low = vpaddq_u8(vandq_u8(parts[0], bits), vandq_u8(parts[1], bits));
    uint8x16_t high = vpaddq_u8(vandq_u8(parts[2], bits), vandq_u8(parts[3], bits));
    uint8x16_t both = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
}

ALWAYS_INLINE line_masks line_masks_neon(const uint8_t *bytes) {
    uint8x16_t newlines[4], irregular[4];
    for (int index = 0; index < 4; index++) {
        uint8x16_t part = vld1q_u8(bytes + 16 * index);
        newlines[index] = equal_neon(part, '\n');
        irregular[index] = equal_neon(part, '\r');
    }
    return (line_masks){bits_neon(newlines), bits_neon(irregular)};
}

ALWAYS_INLINE object_masks object_masks_neon(const uint8_t *bytes) {
    uint8x16_t newlines[4], quotes[4], commas[4], irregular[4];
    for (int index = 0; index < 4; index++) {
        uint8x16_t part = vld1q_u8(bytes + 16 * index);
        newlines[index] = equal_neon(part, '\n');
        quotes[index] = equal_neon(part, '"');
        commas[index] = equal_neon(part, ',');
        uint8x16_t controls = vbicq_u8(vcltq_u8(part, vdupq_n_u8(0x20)), newlines[index]);
        irregular[index] = vorrq_u8(controls, equal_neon(part, '\\'));
    }
    uint64_t quote_bits = bits_neon(quotes);
    uint64_t separators = separators_of(quote_bits, bits_neon(commas), bytes + step_bytes);
    return (object_masks){bits_neon(newlines), quote_bits, separators, bits_neon(irregular)};
}

static size_t lines_neon(const uint8_t *bytes, size_t count, block_index_list *newlines, block_index_list *irregular) {
    return index_lines(line_masks_neon, add_one_by_one, bytes, count, newlines, irregular);
}

static size_t objects_neon(const uint8_t *bytes, size_t count, block_index_list *delimiters, block_index_list *quotes,
                           block_index_list *irregular) {
    return index_objects(object_masks_neon, add_one_by_one, false, bytes, count, delimiters, quotes, irregular);
}

block_index_instructions block_index_widest(void) { return block_index_neon; }

#else

block_index_instructions block_index_widest(void) { return block_index_scalar; }

#endif

// MARK: - The widest there are

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
#elif defined(__aarch64__)
    case block_index_neon: return lines_neon(bytes, count, newlines, irregular);
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
#elif defined(__aarch64__)
    case block_index_neon: return objects_neon(bytes, count, delimiters, quotes, irregular);
#endif
    default: return objects_scalar(bytes, count, delimiters, quotes, irregular);
    }
}
