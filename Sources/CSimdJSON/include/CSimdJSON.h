// JSON Lines through simdjson: one flat object at a time, its keys and values as text.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The kind of a value in the JSON.
enum simdjson_field_kind {
    simdjson_field_text = 0,        // a string, without its quotes
    simdjson_field_token = 1,       // a number or a boolean, as it was written
    simdjson_field_null = 2,
    simdjson_field_texts = 3,       // an array of strings without commas, none empty, joined by commas
    simdjson_field_structure = 4,   // an object, or any other array
};

// A text: part of the line, or, if it differs from the bytes there, of the text that the call wrote.
struct simdjson_text {
    uint32_t offset;
    uint32_t length;
    bool is_copied;
};

// A key and its value.
struct simdjson_field {
    struct simdjson_text key;
    struct simdjson_text value;
    enum simdjson_field_kind kind;
};

struct simdjson_reader;

// Bytes that must be readable behind the end of every line, and writable behind the end of the text.
size_t simdjson_reader_padding(void);

// Null where memory ran out.
struct simdjson_reader *simdjson_reader_create(void);
void simdjson_reader_free(struct simdjson_reader *reader);

// Reads one object of less than 4 GiB. Texts that differ from the bytes of the line go to `text`, which has room for
// `length` bytes and the padding; `*written` is the number of bytes used. Returns the number of fields, or -1: `*problem`
// is then the reason, as text that lives for ever. The fields stay with the reader until the next call.
ptrdiff_t simdjson_reader_read(struct simdjson_reader *reader, const uint8_t *line, size_t length, size_t capacity,
                               uint8_t *text, size_t *written, const struct simdjson_field **fields, const char **problem);

// True if some bytes are UTF-8.
bool simdjson_is_utf8(const uint8_t *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
