#include "ValueSearch.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// MARK: - Eight bytes at a time

ALWAYS_INLINE uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

ALWAYS_INLINE uint64_t mixed(uint64_t left, uint64_t right) {
    unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// The last bytes, sixteen at most; loads may overlap each other.
ALWAYS_INLINE void load_tail(const uint8_t *bytes, size_t length, uint64_t *start, uint64_t *end) {
    if (length >= 8) {
        *start = word_at(bytes), *end = word_at(bytes + length - 8);
    } else if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, bytes, sizeof first), memcpy(&last, bytes + length - 4, sizeof last);
        *start = first, *end = last;
    } else {
        *start = length ? (uint64_t)bytes[0] << 8 | bytes[length / 2] : 0;
        *end = length ? bytes[length - 1] : 0;
    }
}

ALWAYS_INLINE uint32_t hash_scalar(const value_lookup_keys *keys, const uint8_t *bytes, size_t length, size_t steps,
                                   const uint8_t *last) {
    (void)steps, (void)last;
    uint64_t state = keys->seed[0] ^ length, other = state, start, end;
    size_t left = length;
    for (; left > 32; left -= 32, bytes += 32) {
        // Two states side by side, since the steps of one wait for one another.
        state = mixed(word_at(bytes) ^ keys->second[0], word_at(bytes + 8) ^ state);
        other = mixed(word_at(bytes + 16) ^ keys->second[1], word_at(bytes + 24) ^ other);
    }
    if (length > 32) state ^= other;
    if (left > 16) {
        state = mixed(word_at(bytes) ^ keys->second[0], word_at(bytes + 8) ^ state);
        left -= 16, bytes += 16;
    }
    load_tail(bytes, left, &start, &end);
    return (uint32_t)(mixed(keys->first[0] ^ start, mixed(keys->second[0] ^ end, state)) >> 32);
}

ALWAYS_INLINE bool same_scalar(const uint8_t *left, const uint8_t *right, size_t length, size_t steps) {
    (void)steps;
    return memcmp(left, right, length) == 0;
}

ALWAYS_INLINE uint32_t slots_scalar(const value_bucket *bucket, uint32_t tag) {
    uint32_t matching = 0;
    for (int slot = 0; slot < value_bucket_slots; slot++) matching |= (uint32_t)(bucket->tags[slot] == tag) << slot;
    return matching;
}

static bool find_scalar(const value_lookup_keys *keys, const value_table *table, const value_column *column,
                        uint32_t *found, size_t *value_count) {
    return find(hash_scalar, same_scalar, slots_scalar, keys, table, column, found, value_count);
}

// 64 bytes that count, then 64 that do not.
static const uint8_t counting[2 * step_bytes] __attribute__((aligned(64), unused)) = {
#define EIGHT 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF
    EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};

// A mask of the bytes of a step that count.
ALWAYS_INLINE const uint8_t *counting_mask(size_t left) {
    return counting + step_bytes - (left < step_bytes ? left : step_bytes);
}

#if defined(__x86_64__)

// MARK: - AVX2 and AES

#define WITH_AVX2 __attribute__((target("avx2,aes,bmi,bmi2")))
#define PARTS 4

WITH_AVX2 ALWAYS_INLINE __m128i part_of(const void *bytes, int part) {
    return _mm_loadu_si128((const __m128i *)bytes + part);
}

WITH_AVX2 ALWAYS_INLINE uint32_t finish(const value_lookup_keys *keys, __m128i state, size_t length) {
    state = _mm_xor_si128(state, _mm_cvtsi64_si128((long long)length));
    state = _mm_aesenc_si128(_mm_aesenc_si128(state, part_of(keys->seed, 0)), part_of(keys->first, 0));
    return (uint32_t)_mm_cvtsi128_si32(state);
}

WITH_AVX2 ALWAYS_INLINE uint32_t hash_avx2(const value_lookup_keys *keys, const uint8_t *bytes, size_t length,
                                           size_t steps, const uint8_t *last) {
    __m128i states[PARTS];
    for (int part = 0; part < PARTS; part++) states[part] = part_of(keys->seed, part);
    for (size_t step = 0; step < steps; step++) {
        size_t left = left_behind(length, step * step_bytes);
        const uint8_t *from = left ? bytes + step * step_bytes : bytes, *mask = counting_mask(left);
        if (last && step + 1 == steps) from = last;
        __m128i counts = _mm_set1_epi8(left ? -1 : 0);
        for (int part = 0; part < PARTS; part++) {
            __m128i block = _mm_and_si128(part_of(from, part), part_of(mask, part));
            __m128i next = _mm_aesenc_si128(_mm_xor_si128(states[part], block), part_of(keys->first, part));
            next = _mm_aesenc_si128(next, part_of(keys->second, part));
            states[part] = _mm_blendv_epi8(states[part], next, counts);
        }
    }
    __m128i both = _mm_xor_si128(states[0], states[2]), others = _mm_xor_si128(states[1], states[3]);
    return finish(keys, _mm_xor_si128(both, others), length);
}

WITH_AVX2 ALWAYS_INLINE bool same_avx2(const uint8_t *left, const uint8_t *right, size_t length, size_t steps) {
    __m256i differing = _mm256_setzero_si256();
    for (size_t step = 0; step < steps; step++) {
        size_t rest = left_behind(length, step * step_bytes), offset = rest ? step * step_bytes : 0;
        const uint8_t *mask = counting_mask(rest);
        for (int part = 0; part < 2; part++) {
            __m256i one = _mm256_loadu_si256((const __m256i *)(left + offset) + part);
            __m256i other = _mm256_loadu_si256((const __m256i *)(right + offset) + part);
            __m256i counts = _mm256_loadu_si256((const __m256i *)mask + part);
            differing = _mm256_or_si256(differing, _mm256_and_si256(_mm256_xor_si256(one, other), counts));
        }
    }
    return _mm256_testz_si256(differing, differing);
}

WITH_AVX2 ALWAYS_INLINE uint32_t slots_avx2(const value_bucket *bucket, uint32_t tag) {
    __m256i tags = _mm256_loadu_si256((const __m256i *)bucket->tags);
    __m256i matching = _mm256_cmpeq_epi32(tags, _mm256_set1_epi32((int)tag));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(matching));
}

WITH_AVX2 static bool find_avx2(const value_lookup_keys *keys, const value_table *table, const value_column *column,
                                uint32_t *found, size_t *value_count) {
    return find(hash_avx2, same_avx2, slots_avx2, keys, table, column, found, value_count);
}

WITH_AVX2 static uint32_t tag_avx2(const value_lookup_keys *keys, const uint8_t *bytes, size_t length) {
    return tag_of(hash_avx2, keys, bytes, length);
}

// MARK: - AVX-512

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,vaes,avx2,aes,bmi,bmi2")))

WITH_AVX512 ALWAYS_INLINE __mmask64 mask_of(size_t left) {
    return _bzhi_u64(~(uint64_t)0, (unsigned)(left < step_bytes ? left : step_bytes));
}

WITH_AVX512 ALWAYS_INLINE uint32_t hash_avx512(const value_lookup_keys *keys, const uint8_t *bytes, size_t length,
                                               size_t steps, const uint8_t *last) {
    __m512i state = _mm512_loadu_si512(keys->seed);
    __m512i first = _mm512_loadu_si512(keys->first), second = _mm512_loadu_si512(keys->second);
    for (size_t step = 0; step < steps; step++) {
        size_t left = left_behind(length, step * step_bytes);
        const uint8_t *from = left ? bytes + step * step_bytes : bytes;
        if (last && step + 1 == steps) from = last;
        __m512i block = _mm512_maskz_loadu_epi8(mask_of(left), from);
        __m512i next = _mm512_aesenc_epi128(_mm512_xor_si512(state, block), first);
        next = _mm512_aesenc_epi128(next, second);
        state = _mm512_mask_mov_epi64(state, left ? 0xFF : 0, next);
    }
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(state), _mm512_extracti64x4_epi64(state, 1));
    return finish(keys, _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)), length);
}

WITH_AVX512 ALWAYS_INLINE bool same_avx512(const uint8_t *left, const uint8_t *right, size_t length, size_t steps) {
    __mmask64 differing = 0;
    for (size_t step = 0; step < steps; step++) {
        // Bytes behind the end would have to be fetched from memory, although they take no part.
        size_t rest = left_behind(length, step * step_bytes), offset = rest ? step * step_bytes : 0;
        __mmask64 mask = mask_of(rest);
        __m512i one = _mm512_maskz_loadu_epi8(mask, left + offset);
        differing |= _mm512_mask_cmpneq_epu8_mask(mask, one, _mm512_maskz_loadu_epi8(mask, right + offset));
    }
    return differing == 0;
}

WITH_AVX512 static bool find_avx512(const value_lookup_keys *keys, const value_table *table,
                                    const value_column *column, uint32_t *found, size_t *value_count) {
    return find(hash_avx512, same_avx512, slots_avx2, keys, table, column, found, value_count);
}

WITH_AVX512 static uint32_t tag_avx512(const value_lookup_keys *keys, const uint8_t *bytes, size_t length) {
    return tag_of(hash_avx512, keys, bytes, length);
}

value_lookup_instructions value_lookup_widest(void) {
    int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("bmi") &&
                   __builtin_cpu_supports("bmi2");
    if (!has_avx2) return value_lookup_scalar;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("vaes")
               ? value_lookup_avx512
               : value_lookup_avx2;
}

#elif defined(__aarch64__)

// MARK: - NEON

ALWAYS_INLINE bool same_neon(const uint8_t *left, const uint8_t *right, size_t length, size_t steps) {
    uint8x16_t differing = vdupq_n_u8(0);
    for (size_t step = 0; step < steps; step++) {
        size_t rest = left_behind(length, step * step_bytes), offset = rest ? step * step_bytes : 0;
        const uint8_t *mask = counting_mask(rest);
        for (size_t part = 0; part < step_bytes; part += 16) {
            uint8x16_t one = vld1q_u8(left + offset + part), other = vld1q_u8(right + offset + part);
            differing = vorrq_u8(differing, vandq_u8(veorq_u8(one, other), vld1q_u8(mask + part)));
        }
    }
    return vmaxvq_u8(differing) == 0;
}

ALWAYS_INLINE uint32_t slots_neon(const value_bucket *bucket, uint32_t tag) {
    static const uint32_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint32x4_t wanted = vdupq_n_u32(tag);
    uint32x4_t first = vandq_u32(vceqq_u32(vld1q_u32(bucket->tags), wanted), vld1q_u32(bits));
    uint32x4_t second = vandq_u32(vceqq_u32(vld1q_u32(bucket->tags + 4), wanted), vld1q_u32(bits + 4));
    return vaddvq_u32(vorrq_u32(first, second));
}

static bool find_neon(const value_lookup_keys *keys, const value_table *table, const value_column *column,
                      uint32_t *found, size_t *value_count) {
    return find(hash_scalar, same_neon, slots_neon, keys, table, column, found, value_count);
}

value_lookup_instructions value_lookup_widest(void) { return value_lookup_neon; }

#else

value_lookup_instructions value_lookup_widest(void) { return value_lookup_scalar; }

#endif

// MARK: - Any instructions

static value_lookup_instructions available(value_lookup_instructions instructions) {
    value_lookup_instructions widest = value_lookup_widest();
    return instructions < widest ? instructions : widest;
}

static bool find_by(value_lookup_instructions instructions, const value_lookup_keys *keys, const value_table *table,
                    const value_column *column, uint32_t *found, size_t *value_count) {
    switch (available(instructions)) {
#if defined(__x86_64__)
    case value_lookup_avx512: return find_avx512(keys, table, column, found, value_count);
    case value_lookup_avx2: return find_avx2(keys, table, column, found, value_count);
#elif defined(__aarch64__)
    case value_lookup_neon: return find_neon(keys, table, column, found, value_count);
#endif
    default: return find_scalar(keys, table, column, found, value_count);
    }
}

bool value_lookup(value_lookup_instructions instructions, const value_lookup_keys *keys, const value_table *table,
                  const value_column *column, value_answers *answers) {
    for (size_t row = 0; row < column->count; row++) answers->found[row] = 0;
    if (!find_by(instructions, keys, table, column, answers->found, &answers->value_count)) return false;
    answers->miss_count = 0;
    for (size_t row = 0; row < column->count; row++) {
        bool is_missed = answers->found[row] == missed;
        answers->misses[answers->miss_count] = (uint32_t)row;
        answers->miss_count += is_missed;
        answers->found[row] = is_missed ? 0 : answers->found[row];
    }
    return true;
}

uint32_t value_lookup_tag(value_lookup_instructions instructions, const value_lookup_keys *keys, const uint8_t *bytes,
                          size_t length) {
    switch (available(instructions)) {
#if defined(__x86_64__)
    case value_lookup_avx512: return tag_avx512(keys, bytes, length);
    case value_lookup_avx2: return tag_avx2(keys, bytes, length);
#endif
    default: return hash_scalar(keys, bytes, length, 0, NULL);
    }
}
