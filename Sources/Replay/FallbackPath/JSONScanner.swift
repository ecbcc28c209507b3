internal import CLibrary
internal import CSimdJSON

/// Reads the objects of JSON Lines (formats: Captures, 3); the one file that knows simdjson.
struct JSONScanner {
    private let reader = JSONReader()
    /// Bytes that must be readable behind the end of every line.
    static let padding = simdjson_reader_padding()

    /// Reads the object on one line.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the line; at least the padding follows the line in it.
    ///   - line: The line without its end.
    ///   - number: The line's number, counted from 1.
    ///   - isCut: True if the line is the last and has no end, so that it may not be whole.
    ///   - fields: Takes what is found.
    func scan(_ bytes: Span<UInt8>, line: Range<Int>, number: Int, isCut: Bool, fields: inout RecordFields) {
        fields.beginRecord()
        let padding = Self.padding
        precondition(line.upperBound + padding <= bytes.count, "the padding follows the line")
        var (found, problem): (UnsafePointer<simdjson_field>?, UnsafePointer<CChar>?) = (nil, nil)
        var (count, copiesStart) = (0, 0)
        unsafe fields.copy(atMost: line.count + 2 * padding) { output, start in
            copiesStart = start
            return unsafe bytes.withUnsafeBufferPointer { buffer in
                var written = 0
                // SAFETY: the line and its padding lie inside the buffer, and the output has the room that is asked
                // for; simdjson writes nothing else and keeps neither pointer.
                count = unsafe simdjson_reader_read(
                    reader.pointer, buffer.baseAddress.map { unsafe $0 + line.lowerBound }, line.count,
                    buffer.count - line.lowerBound, output.baseAddress.map { unsafe $0 + start }, &written, &found,
                    &problem)
                return written
            }
        }
        guard count >= 0 else {
            // SAFETY: the text is a constant of the library.
            let reason = unsafe problem.map { unsafe String(cString: $0) } ?? "unknown error"
            return fields.note(
                "not a JSON object: \(Self.worded(reason))", line: number,
                hint: isCut
                    ? "the capture ends within this line; it may have been cut" : "each line holds one JSON object")
        }
        guard let found = unsafe found else { return }
        for offset in 0..<count {
            // SAFETY: the reader says how many fields there are, and keeps them until its next call.
            unsafe Self.read(
                found[offset], in: bytes, starts: (line.lowerBound, copiesStart), number: number, fields: &fields)
        }
    }

    private static func read(
        _ field: simdjson_field, in bytes: Span<UInt8>, starts: (line: Int, copies: Int), number: Int,
        fields: inout RecordFields
    ) {
        let (key, value) = (field.key.value(from: starts), field.value.value(from: starts))
        switch field.kind {
        case simdjson_field_text, simdjson_field_token:
            fields.read(key: key, value: value, in: bytes, line: number)
        case simdjson_field_null: fields.read(key: key, value: nil, in: bytes, line: number)
        default:
            let name = fields.text(of: key, in: bytes)
            let isList = field.kind == simdjson_field_texts && fields.names.key(name) == listKey
            if !isList {
                fields.note("the value of `\(name)` is neither text nor a number, a boolean or null", line: number)
            }
            fields.read(key: key, value: isList ? value : nil, in: bytes, line: number)
        }
    }

    private static let listKey = "flags"

    // The library's messages are sentences; `JSON` stays what it is.
    private static func worded(_ message: String) -> String {
        var message = message
        if message.hasSuffix(".") { message.removeLast() }
        if message.prefix(2).allSatisfy(\.isUppercase) { return message }
        return message.prefix(1).lowercased() + message.dropFirst()
    }
}

extension simdjson_text {
    /// The same as a range in the block, or among what was copied.
    fileprivate func value(from starts: (line: Int, copies: Int)) -> ValueRange {
        let start = Int(offset) + (is_copied ? starts.copies : starts.line)
        return ValueRange(start..<start + Int(length), form: is_copied ? .unescaped : .plain)
    }
}

extension Span<UInt8> {
    var isUTF8: Bool {
        unsafe withUnsafeBufferPointer { buffer in
            // SAFETY: simdjson reads as many bytes as there are.
            unsafe buffer.isEmpty || simdjson_is_utf8(buffer.baseAddress, buffer.count)
        }
    }
}

/// Owns simdjson's parser.
@safe
private final class JSONReader {
    // SAFETY: made in `init`, freed in `deinit`; used by the scanner alone, for one thread at a time.
    let pointer: OpaquePointer

    init() {
        // The process ends as it does when an array gets no memory.
        guard let reader = unsafe simdjson_reader_create() else { abort() }
        unsafe pointer = reader
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe simdjson_reader_free(pointer)
    }
}
