#include "CSimdJSON.h"

#include <cstring>
#include <new>
#include <simdjson.h>
#include <string_view>
#include <utility>
#include <vector>

using namespace simdjson;

struct simdjson_reader {
    ondemand::parser parser;
    std::vector<simdjson_field> fields;
};

namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// The number grammar of RFC 8259; simdjson checks a number only when it is turned into one.
bool is_number(std::string_view token) {
    size_t at = 0;
    auto digits = [&] {
        size_t start = at;
        while (at < token.size() && is_digit(token[at])) at++;
        return at - start;
    };
    if (at < token.size() && token[at] == '-') at++;
    bool starts_with_zero = at < token.size() && token[at] == '0';
    size_t whole = digits();
    if (whole == 0 || (starts_with_zero && whole > 1)) return false;
    if (at < token.size() && token[at] == '.') {
        at++;
        if (digits() == 0) return false;
    }
    if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
        at++;
        if (at < token.size() && (token[at] == '+' || token[at] == '-')) at++;
        if (digits() == 0) return false;
    }
    return at == token.size();
}

std::string_view without_space(std::string_view token) {
    while (!token.empty() && std::strchr(" \t\n\r", token.back())) token.remove_suffix(1);
    return token;
}

// Writes what one object says; `at` moves behind what was written.
class Writer {
  public:
    Writer(simdjson_reader &reader, const uint8_t *line_end, uint8_t *text)
        : reader(reader), end(reinterpret_cast<const char *>(line_end)), start(text), at(text) {}

    error_code write(ondemand::field field) {
        simdjson_field out{};
        out.key_offset = at - start;
        if (auto error = unescape(field.key())) return error;
        out.key_length = at - start - out.key_offset;
        out.value_offset = at - start;
        if (auto error = write(field.value(), out.kind)) return error;
        out.value_length = at - start - out.value_offset;
        reader.fields.push_back(out);
        return SUCCESS;
    }

  private:
    simdjson_reader &reader;
    const char *end;
    uint8_t *start;
    uint8_t *at;

    error_code unescape(ondemand::raw_json_string raw) {
        // Most strings hold no escape: then the first quote ends them, and the text is what stands there.
        const char *text = raw.raw();
        const char *quote = static_cast<const char *>(std::memchr(text, '"', end - text));
        if (!quote) return STRING_ERROR;
        size_t length = quote - text;
        if (!std::memchr(text, '\\', length)) {
            std::memcpy(at, text, length);
            at += length;
            return SUCCESS;
        }
        std::string_view unescaped;
        return reader.parser.unescape(raw, at).get(unescaped);
    }

    error_code write(ondemand::value value, simdjson_field_kind &kind) {
        ondemand::json_type type;
        if (auto error = value.type().get(type)) return error;
        switch (type) {
        case ondemand::json_type::string: {
            kind = simdjson_field_text;
            ondemand::raw_json_string raw;
            if (auto error = value.get_raw_json_string().get(raw)) return error;
            return unescape(raw);
        }
        case ondemand::json_type::number:
        case ondemand::json_type::boolean:
        case ondemand::json_type::null: return write_token(value, type, kind);
        case ondemand::json_type::array: return write_array(value, kind);
        case ondemand::json_type::object: break;
        }
        kind = simdjson_field_structure;
        return SUCCESS;
    }

    error_code write_token(ondemand::value value, ondemand::json_type type, simdjson_field_kind &kind) {
        auto token = without_space(value.raw_json_token());
        kind = type == ondemand::json_type::null ? simdjson_field_null : simdjson_field_token;
        if (type == ondemand::json_type::null) return token == "null" ? SUCCESS : N_ATOM_ERROR;
        if (type == ondemand::json_type::boolean && token != "true" && token != "false") return T_ATOM_ERROR;
        if (type == ondemand::json_type::number && !is_number(token)) return NUMBER_ERROR;
        std::memcpy(at, token.data(), token.size());
        at += token.size();
        return SUCCESS;  // what was not consumed is skipped by the iteration around it
    }

    error_code write_array(ondemand::value value, simdjson_field_kind &kind) {
        kind = simdjson_field_texts;
        ondemand::array array;
        if (auto error = value.get_array().get(array)) return error;
        uint8_t *first = at;
        for (auto element : array) {
            ondemand::value item;
            if (auto error = element.get(item)) return error;
            ondemand::json_type type;
            if (auto error = item.type().get(type)) return error;
            if (type != ondemand::json_type::string) {
                kind = simdjson_field_structure;
                continue;
            }
            if (at != first) *at++ = ',';
            uint8_t *text = at;
            ondemand::raw_json_string raw;
            if (auto error = item.get_raw_json_string().get(raw)) return error;
            if (auto error = unescape(raw)) return error;
            if (text == at || std::memchr(text, ',', at - text)) kind = simdjson_field_structure;
        }
        return SUCCESS;
    }
};

error_code read(simdjson_reader &reader, const uint8_t *line, size_t length, size_t capacity, uint8_t *text) {
    reader.fields.clear();
    ondemand::document document;
    if (auto error = reader.parser.iterate(line, length, capacity).get(document)) return error;
    ondemand::object object;
    if (auto error = document.get_object().get(object)) return error;
    Writer writer(reader, line + length, text);
    for (auto item : object) {
        ondemand::field field;
        if (auto error = std::move(item).get(field)) return error;
        if (auto error = writer.write(field)) return error;
    }
    const char *rest;
    return document.current_location().get(rest) == OUT_OF_BOUNDS ? SUCCESS : TRAILING_CONTENT;
}

}  // namespace

size_t simdjson_reader_padding(void) { return SIMDJSON_PADDING; }

struct simdjson_reader *simdjson_reader_create(void) { return new (std::nothrow) simdjson_reader; }

void simdjson_reader_free(struct simdjson_reader *reader) { delete reader; }

ptrdiff_t simdjson_reader_read(struct simdjson_reader *reader, const uint8_t *line, size_t length, size_t capacity,
                               uint8_t *text, const struct simdjson_field **fields, const char **problem) {
    try {
        error_code error = read(*reader, line, length, capacity, text);
        *fields = reader->fields.data();
        *problem = error_message(error);
        return error ? -1 : static_cast<ptrdiff_t>(reader->fields.size());
    } catch (const std::bad_alloc &) {
        *problem = error_message(MEMALLOC);
        return -1;
    }
}
