// The one file that knows PCRE2: a compiled pattern, what owns its code, and what runs it.
internal import CPCRE2

/// A regular expression of PCRE2 in UTF mode, searched unanchored (R7.2).
///
/// Two patterns are equal when their sources are.
public struct Pattern: Sendable {
    /// The pattern as it was written.
    public let source: String
    fileprivate let code: CompiledCode

    /// Compiles a pattern, just in time where the machine can.
    ///
    /// - Parameter source: The pattern.
    /// - Throws: ``PatternError`` with PCRE2's words and the offset of the mistake.
    public init(_ source: String) throws(PatternError) {
        self.source = source
        code = try CompiledCode(source)
    }
}

extension Pattern: Hashable {
    /// Whether both patterns have the same source.
    public static func == (left: Pattern, right: Pattern) -> Bool { ExactText(left.source) == ExactText(right.source) }

    /// Feeds the source to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(source)) }
}

/// Owns what `pcre2_compile` made.
@safe
private final class CompiledCode: @unchecked Sendable {
    // SAFETY: written once, in `init`, and only read afterwards; PCRE2 allows concurrent matches against one code.
    let pointer: OpaquePointer

    init(_ source: String) throws(PatternError) {
        var source = source
        var (number, offset): (Int32, Int) = (0, 0)
        let options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        let compiled = source.withUTF8 { bytes in
            // SAFETY: PCRE2 reads `count` bytes during the call; an empty pattern gets a valid pointer as well.
            unsafe withUnsafeMutablePointer(to: &number) { number in
                unsafe withUnsafeMutablePointer(to: &offset) { offset in
                    let start = unsafe bytes.baseAddress ?? Self.nothing
                    return unsafe pcre2_compile_8(start, bytes.count, options, number, offset, nil)
                }
            }
        }
        guard let compiled = unsafe compiled else {
            throw PatternError(source: source, reason: Self.message(number), offset: offset)
        }
        // SAFETY: the code was just made and nobody else has it. A failure leaves it to the interpreter.
        _ = unsafe pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE)
        unsafe pointer = compiled
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe pcre2_code_free_8(pointer)
    }

    // SAFETY: one byte that is never freed and never read, because it goes with a length of 0.
    private nonisolated(unsafe) static let nothing = unsafe UnsafePointer(
        UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    private static func message(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            // SAFETY: PCRE2 writes at most `count` bytes and tells how many.
            unsafe pcre2_get_error_message_8(number, bytes.baseAddress, bytes.count)
        }
        return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
    }
}

/// Runs patterns, with limits that keep every search short; for one thread at a time.
@safe
final class PatternMatcher {
    /// How a search ended.
    enum Outcome {
        case found, notFound
        /// A limit was hit; counts as not found, and is reported (R7.2).
        case limitHit
    }

    /// Steps of one search, as PCRE2 counts them.
    static let matchLimit: UInt32 = 100_000
    /// Memory of one search in KiB, where the interpreter runs it.
    static let heapLimit: UInt32 = 16_384
    private static let (stackStart, stackLimit) = (32 * 1024, 1024 * 1024)

    // SAFETY: made in `init`, freed in `deinit`, never handed out; the class is not `Sendable`.
    private let data: OpaquePointer?
    private let context: OpaquePointer?
    private let stack: OpaquePointer?

    init() {
        unsafe data = pcre2_match_data_create_8(1, nil)
        unsafe context = pcre2_match_context_create_8(nil)
        unsafe stack = pcre2_jit_stack_create_8(Self.stackStart, Self.stackLimit, nil)
        _ = unsafe pcre2_set_match_limit_8(context, Self.matchLimit)
        _ = unsafe pcre2_set_heap_limit_8(context, Self.heapLimit)
        unsafe pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    }

    deinit {
        // SAFETY: PCRE2 takes null pointers here; each was made by the call that goes with its free.
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_jit_stack_free_8(stack)
    }

    /// Searches a pattern in some bytes; bytes that are not UTF-8 are not matched by any pattern.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - bytes: Where to search.
    ///   - isASCII: Whether the bytes are known to be ASCII, and so UTF-8; else PCRE2 checks.
    /// - Complexity: Bounded by the limits; allocates nothing.
    func search(_ pattern: Pattern, in bytes: Span<UInt8>, isASCII: Bool = false) -> Outcome {
        let options = isASCII ? PCRE2_NO_UTF_CHECK : 0
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            // SAFETY: PCRE2 reads `count` bytes during the call, after checking that they are UTF-8 unless they are known
            // to be ASCII.
            unsafe pcre2_match_8(pattern.code.pointer, buffer.baseAddress, buffer.count, 0, options, data, context)
        }
        if result >= 0 { return .found }
        let isNotUTF8 = PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1 ~= result
        return result == PCRE2_ERROR_NOMATCH || isNotUTF8 ? .notFound : .limitHit
    }
}

extension Pattern {
    /// Whether the pattern is found in a text; for single uses, since it makes what it needs for the search.
    public func isFound(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        return PatternMatcher().search(self, in: bytes.span) == .found
    }
}
