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

// An error that versions before 3 do not know, with the message of later versions.
constexpr error_code trailing_content = NUM_ERROR_CODES;

const char *words(error_code error) {
    return error == trailing_content ? "Unexpected trailing content in the JSON input." : error_message(error);
}

// Before version 3 it is the string that is asked, and not the parser; the compiler takes the first of the two that there is.
template <typename Parser, typename Text>
auto unescaped_by(Parser &parser, Text raw, uint8_t *&at, int) -> decltype(parser.unescape(raw, at)) {
    return parser.unescape(raw, at);
}

template <typename Parser, typename Text>
auto unescaped_by(Parser &, Text raw, uint8_t *&at, long) -> decltype(simdjson_result<Text>(std::move(raw)).unescape(at)) {
    return simdjson_result<Text>(std::move(raw)).unescape(at);
}

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
    auto is_space = [](char character) {
        return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    };
    while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
    return token;
}

// Reads the fields of one object; a text that differs from the bytes of the line is written behind `at`.
class Reading {
  public:
    Reading(simdjson_reader &reader, const uint8_t *line, size_t length, uint8_t *text)
        : reader(reader), line(reinterpret_cast<const char *>(line)), end(this->line + length), start(text), at(text),
          has_escapes(std::memchr(line, '\\', length)) {}

    error_code read(ondemand::field field) {
        simdjson_field &out = reader.fields.emplace_back();
        if (auto error = read_key(field.key(), out.key)) return error;
        return read_value(field.value(), out);
    }

    // The length of the text that was written.
    size_t written() const { return at - start; }

  private:
    simdjson_reader &reader;
    const char *line;
    const char *end;
    uint8_t *start;
    uint8_t *at;
    bool has_escapes;

    error_code read_key(ondemand::raw_json_string raw, simdjson_text &key) {
        if (has_escapes) return unescape(raw, key);
        const char *text = raw.raw();
        const char *quote = static_cast<const char *>(std::memchr(text, '"', end - text));
        if (!quote) return STRING_ERROR;
        key = in_line(text, quote - text);
        return SUCCESS;
    }

    error_code read_value(ondemand::value value, simdjson_field &out) {
        ondemand::json_type type;
        if (auto error = value.type().get(type)) return error;
        switch (type) {
        case ondemand::json_type::string: {
            out.kind = simdjson_field_text;
            if (!has_escapes) {
                // Up to the next token, so that a quote ends it.
                auto token = without_space(value.raw_json_token());
                if (token.size() < 2 || token.back() != '"') return STRING_ERROR;
                out.value = in_line(token.data() + 1, token.size() - 2);
                return SUCCESS;
            }
            ondemand::raw_json_string raw;
            if (auto error = value.get_raw_json_string().get(raw)) return error;
            return unescape(raw, out.value);
        }
        case ondemand::json_type::number:
        case ondemand::json_type::boolean:
        case ondemand::json_type::null: return read_token(value, type, out);
        case ondemand::json_type::array: return read_array(value, out);
        case ondemand::json_type::object: break;
        }
        out.kind = simdjson_field_structure;
        return SUCCESS;
    }

    error_code read_token(ondemand::value value, ondemand::json_type type, simdjson_field &out) {
        auto token = without_space(value.raw_json_token());
        out.kind = type == ondemand::json_type::null ? simdjson_field_null : simdjson_field_token;
        if (type == ondemand::json_type::null) return token == "null" ? SUCCESS : N_ATOM_ERROR;
        if (type == ondemand::json_type::boolean && token != "true" && token != "false") return T_ATOM_ERROR;
        if (type == ondemand::json_type::number && !is_number(token)) return NUMBER_ERROR;
        out.value = in_line(token.data(), token.size());
        return SUCCESS;  // what was not consumed is skipped by the iteration around it
    }

    error_code read_array(ondemand::value value, simdjson_field &out) {
        out.kind = simdjson_field_texts;
        ondemand::array array;
        if (auto error = value.get_array().get(array)) return error;
        uint8_t *first = at;
        for (auto element : array) {
            ondemand::value item;
            if (auto error = element.get(item)) return error;
            ondemand::json_type type;
            if (auto error = item.type().get(type)) return error;
            if (type != ondemand::json_type::string) {
                out.kind = simdjson_field_structure;
                continue;
            }
            if (at != first) *at++ = ',';
            ondemand::raw_json_string raw;
            if (auto error = item.get_raw_json_string().get(raw)) return error;
            simdjson_text text;
            if (auto error = unescape(raw, text)) return error;
            if (text.length == 0 || std::memchr(start + text.offset, ',', text.length))
                out.kind = simdjson_field_structure;
        }
        out.value = copied(first);
        return SUCCESS;
    }

    error_code unescape(ondemand::raw_json_string raw, simdjson_text &text) {
        uint8_t *first = at;
        std::string_view unescaped;
        if (auto error = unescaped_by(reader.parser, raw, at, 0).get(unescaped)) return error;
        text = copied(first);
        return SUCCESS;
    }

    simdjson_text in_line(const char *text, size_t length) const {
        return {static_cast<uint32_t>(text - line), static_cast<uint32_t>(length), false};
    }

    simdjson_text copied(const uint8_t *first) const {
        return {static_cast<uint32_t>(first - start), static_cast<uint32_t>(at - first), true};
    }
};

error_code read(simdjson_reader &reader, const uint8_t *line, size_t length, size_t capacity, uint8_t *text,
                size_t &written) {
    reader.fields.clear();
    ondemand::document document;
    if (auto error = reader.parser.iterate(line, length, capacity).get(document)) return error;
    ondemand::object object;
    if (auto error = document.get_object().get(object)) return error;
    Reading reading(reader, line, length, text);
    for (auto item : object) {
        ondemand::field field;
        if (auto error = std::move(item).get(field)) return error;
        if (auto error = reading.read(field)) return error;
    }
    written = reading.written();
    const char *rest;
    return document.current_location().get(rest) == OUT_OF_BOUNDS ? SUCCESS : trailing_content;
}

}  // namespace

size_t simdjson_reader_padding(void) { return SIMDJSON_PADDING; }

bool simdjson_is_utf8(const uint8_t *bytes, size_t length) {
    return validate_utf8(reinterpret_cast<const char *>(bytes), length);
}

struct simdjson_reader *simdjson_reader_create(void) { return new (std::nothrow) simdjson_reader; }

void simdjson_reader_free(struct simdjson_reader *reader) { delete reader; }

ptrdiff_t simdjson_reader_read(struct simdjson_reader *reader, const uint8_t *line, size_t length, size_t capacity,
                               uint8_t *text, size_t *written, const struct simdjson_field **fields,
                               const char **problem) {
    *written = 0;
    try {
        error_code error = read(*reader, line, length, capacity, text, *written);
        *fields = reader->fields.data();
        *problem = words(error);
        return error ? -1 : static_cast<ptrdiff_t>(reader->fields.size());
    } catch (const std::bad_alloc &) {
        *problem = error_message(MEMALLOC);
        return -1;
    }
}
