// The one file that knows PCRE2: a compiled pattern, what owns its code, and what runs it.
internal import CPCRE2
internal import Synchronization

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

extension Pattern {
    /// True if its searches reached their limit on more distinct values than a command takes (R7.2): those that would take long
    /// are not made any more, so that there is no result.
    ///
    /// It depends on the values alone, not on the order or the number of those who search.
    package var isBeyondLimit: Bool { code.reachedLimits.withLock { $0.areTooMany } }

    /// The number of distinct values on which a pattern may reach its limit.
    package static var reachedLimit: Int { ReachedLimits.limit }

    /// A value on which a search reaches the limit: the shortest of those that are known for sure, whatever the order of
    /// searches was; `nil` where none is.
    ///
    /// - Complexity: That of a few searches.
    package var valueAtLimit: String? {
        let examples = code.reachedLimits.withLock { $0.examples }
        let matcher = PatternMatcher()
        let value = withExtendedLifetime(self) {
            examples.first { unsafe matcher.searchAtLength(PatternReference(self), in: $0.span, false) == .limitHit }
        }
        return value.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Pattern: Hashable {
    /// True if both patterns have the same source.
    public static func == (left: Pattern, right: Pattern) -> Bool { ExactText(left.source) == ExactText(right.source) }

    /// Feeds the source to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(source)) }
}

/// A compiled pattern that somebody else keeps alive, so that handing it around counts no references.
@safe
struct PatternReference: @unchecked Sendable {
    // SAFETY: whoever makes one keeps the pattern for as long; the code is only read.
    fileprivate let plain: OpaquePointer
    fileprivate let metered: OpaquePointer
    fileprivate let cost: SearchCost
    fileprivate let isMachineCode: Bool
    // SAFETY: alive as long as the pattern; asked for the source where a search takes long, and counted by nobody.
    private let code: Unmanaged<CompiledCode>
    /// True if the pattern is only found at the start of a value, and ``PatternMatcher/mayBeFound(_:behind:)`` can be asked.
    let dependsOnBeginning: Bool

    /// Refers to a pattern, which the caller keeps by `withExtendedLifetime`: an optimised build frees it after its last use.
    @unsafe
    init(_ pattern: Pattern) {
        unsafe plain = pattern.code.plain
        unsafe metered = pattern.code.metered
        cost = pattern.code.cost
        isMachineCode = pattern.code.isMachineCode
        dependsOnBeginning = pattern.code.dependsOnBeginning
        unsafe code = .passUnretained(pattern.code)
    }

    /// The pattern as it was written.
    var source: ExactText {
        // SAFETY: whoever made this keeps the code.
        unsafe code._withUnsafeGuaranteedRef { $0.source }
    }

    /// True if the search of a value that is not searched quickly is given up without making it.
    fileprivate func isGivenUp(_ value: [UInt8]) -> Bool {
        // SAFETY: whoever made this keeps the code.
        unsafe code._withUnsafeGuaranteedRef { $0.reachedLimits.withLock { $0.begin(value) } }
    }

    /// Notes that the search of a value reached the limit.
    fileprivate func noteReachedLimit(_ value: [UInt8]) {
        // SAFETY: whoever made this keeps the code.
        unsafe code._withUnsafeGuaranteedRef { $0.reachedLimits.withLock { $0.note(value) } }
    }
}

/// Owns what `pcre2_compile` made of a pattern.
@safe
private final class CompiledCode: @unchecked Sendable {
    // SAFETY: written once, in `init`, and only read afterwards; PCRE2 allows concurrent matches against one code.
    /// Searches fast.
    let plain: OpaquePointer
    /// The same pattern with a callout before each item: searches slowly, and can be stopped anywhere.
    let metered: OpaquePointer
    /// The cost of a metered search.
    let cost: SearchCost
    /// The pattern as it was written.
    let source: ExactText
    /// True if ``plain`` was compiled to machine code, which can be run without PCRE2's checks of its arguments.
    let isMachineCode: Bool
    /// True if each way to match starts with `^` or the like, and machine code tells what a value must begin with.
    let dependsOnBeginning: Bool
    /// The values on which searches reached their limit, whoever made them.
    let reachedLimits = Mutex(ReachedLimits())

    init(_ source: String) throws(PatternError) {
        self.source = ExactText(source)
        unsafe plain = try Self.compile(source)
        do throws(PatternError) {
            unsafe metered = try Self.compile(source, PCRE2_AUTO_CALLOUT)
        } catch {
            // SAFETY: nobody else has it, and `deinit` does not run.
            unsafe pcre2_code_free_8(plain)
            throw error
        }
        var backreferences: UInt32 = 0
        // SAFETY: PCRE2 writes one number of 32 bits.
        _ = unsafe pcre2_pattern_info_8(plain, UInt32(PCRE2_INFO_BACKREFMAX), &backreferences)
        cost = SearchCost(of: source, hasBackreferences: backreferences > 0)
        var codeBytes = 0
        // SAFETY: PCRE2 writes one `size_t`.
        _ = unsafe pcre2_pattern_info_8(plain, UInt32(PCRE2_INFO_JITSIZE), &codeBytes)
        // Run directly, machine code does not know of `(*NOTEMPTY)`; other settings at the start of a pattern are as rare.
        let hasSettings = source.contains("(*")
        isMachineCode = codeBytes > 0 && !hasSettings
        var options: UInt32 = 0
        // SAFETY: PCRE2 writes one number of 32 bits.
        _ = unsafe pcre2_pattern_info_8(plain, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
        // SAFETY: nobody else has the code yet.
        dependsOnBeginning =
            isMachineCode && options & PCRE2_ANCHORED != 0
            && (unsafe pcre2_jit_compile_8(plain, PCRE2_JIT_PARTIAL_HARD)) == 0
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe pcre2_code_free_8(plain)
        unsafe pcre2_code_free_8(metered)
    }

    private static func compile(_ source: String, _ options: UInt32 = 0) throws(PatternError) -> OpaquePointer {
        var source = source
        var (number, offset): (Int32, Int) = (0, 0)
        let options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | options
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
            throw PatternError(source: source, reason: message(number), offset: offset)
        }
        // SAFETY: the code was just made and nobody else has it. A failure leaves it to the interpreter.
        _ = unsafe pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE)
        return unsafe compiled
    }

    // SAFETY: one byte that is never freed and never read, because it goes with a length of 0.
    private nonisolated(unsafe) static let nothing = unsafe UnsafePointer(
        UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    private static func message(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let length = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            // SAFETY: PCRE2 writes at most `count` bytes and returns how many.
            unsafe pcre2_get_error_message_8(number, bytes.baseAddress, bytes.count)
        }
        return String(decoding: buffer.prefix(max(0, Int(length))), as: UTF8.self)
    }
}

/// Runs patterns, with limits that keep every search short; for one thread at a time.
///
/// PCRE2's own limit counts anew wherever in the value a match may start, and does not count the characters that an item
/// runs over, so it bounds no search. A value of ordinary length is searched fast, with a limit that keeps even that
/// short; a longer one, or one that hits that limit, is searched again under a ``SearchBudget`` that counts everything.
@safe
package final class PatternMatcher: @unchecked Sendable {
    /// The result of a search.
    enum Answer {
        case found, notFound
        /// The budget was spent; counts as not found, and is reported (R7.2).
        case limitHit
    }

    /// The longest value, in bytes, that is searched fast.
    static let plainBytes = 4096
    /// Steps of a fast search from one position of the value, as PCRE2 counts them.
    static let plainSteps: UInt32 = 2048
    /// Memory of one search in KiB, where the interpreter runs it.
    static let heapLimit: UInt32 = 16_384
    private static let (stackStart, stackLimit) = (32 * 1024, 1024 * 1024)

    // SAFETY: made in `init`, freed in `deinit`, never handed out but to PCRE2; each call of PCRE2 keeps the matcher until it
    // returns. Those who share a matcher take turns.
    private let data: OpaquePointer?
    private let plain: OpaquePointer?
    private let metered: OpaquePointer?
    private let stack: OpaquePointer?
    private let budget: UnsafeMutablePointer<SearchBudget>
    private var memo = SearchMemo()
    private let keepsAll: Bool

    /// Makes a matcher.
    ///
    /// - Parameters:
    ///   - keepsAll: True if the results of quick searches are kept, too, for values of some length: where the same records
    ///     are evaluated again and again.
    ///   - deadline: When a search gives up, whatever it found: whoever says so does without its result then.
    package init(keepsAll: Bool = false, deadline: ContinuousClock.Instant? = nil) {
        self.keepsAll = keepsAll
        unsafe data = pcre2_match_data_create_8(1, nil)
        unsafe plain = pcre2_match_context_create_8(nil)
        unsafe metered = pcre2_match_context_create_8(nil)
        unsafe stack = pcre2_jit_stack_create_8(Self.stackStart, Self.stackLimit, nil)
        unsafe budget = .allocate(capacity: 1)
        unsafe budget.initialize(to: SearchBudget.none.until(deadline))
        _ = unsafe pcre2_set_match_limit_8(plain, Self.plainSteps)
        _ = unsafe pcre2_set_match_limit_8(metered, .max)
        _ = unsafe pcre2_set_callout_8(metered, Self.spend, budget)
        unsafe prepare(plain)
        unsafe prepare(metered)
    }

    private func prepare(_ context: OpaquePointer?) {
        _ = unsafe pcre2_set_heap_limit_8(context, Self.heapLimit)
        unsafe pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    }

    deinit {
        // SAFETY: PCRE2 takes null pointers here; each was made by the call that goes with its free.
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_match_context_free_8(plain)
        unsafe pcre2_match_context_free_8(metered)
        unsafe pcre2_jit_stack_free_8(stack)
        unsafe budget.deallocate()
    }

    private static let processCost = Atomic<Int>(0)

    /// The cost of all searches of this process that were not done quickly, as ``SearchBudget`` counts it.
    package static var costOfProcess: Int { processCost.load(ordering: .relaxed) }

    /// Searches a pattern in some bytes; bytes that are not UTF-8 are not matched by any pattern.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to search.
    ///   - isUTF8: True if the bytes are known to be UTF-8; else PCRE2 checks.
    /// - Complexity: Bounded by ``SearchBudget``.
    func search(_ pattern: Pattern, in bytes: Span<UInt8>, isUTF8: Bool = false) -> Answer {
        withExtendedLifetime(pattern) { unsafe search(PatternReference(pattern), in: bytes, isUTF8: isUTF8) }
    }

    /// Searches a pattern that somebody else keeps alive.
    @inline(__always)
    func search(_ pattern: PatternReference, in bytes: Span<UInt8>, isUTF8: Bool) -> Answer {
        if keepsAll, bytes.count > Self.keptLength { return searchOnce(pattern, in: bytes, isUTF8: isUTF8) }
        let answer = searchQuickly(pattern, in: bytes, isUTF8: isUTF8)
        return answer == .limitHit ? searchFurther(pattern, in: bytes, isUTF8) : answer
    }

    /// Values up to this length are searched faster than found again.
    private static let keptLength = 24

    @inline(never)
    private func searchOnce(_ pattern: PatternReference, in bytes: Span<UInt8>, isUTF8: Bool) -> Answer {
        let key = Self.key(of: pattern, in: bytes)
        if let known = memo.answer(of: key), known != .limitHit { return known }
        let answer = searchQuickly(pattern, in: bytes, isUTF8: isUTF8)
        if answer == .limitHit { return searchFurther(pattern, in: bytes, isUTF8) }
        memo.keep(answer, of: key)
        return answer
    }

    private static func key(of pattern: PatternReference, in bytes: Span<UInt8>) -> SearchMemo.Key {
        var value: [UInt8] = []
        bytes.append(0..<bytes.count, to: &value)
        return SearchMemo.Key(source: pattern.source, value: value)
    }

    func searchQuickly(_ pattern: Pattern, in bytes: Span<UInt8>) -> Answer {
        withExtendedLifetime(pattern) {
            unsafe searchQuickly(PatternReference(pattern), in: bytes, isUTF8: false)
        }
    }

    // Gives up where that takes longer than searches commonly do.
    @inline(__always)
    private func searchQuickly(_ pattern: PatternReference, in bytes: Span<UInt8>, isUTF8: Bool) -> Answer {
        guard bytes.count <= Self.plainBytes else { return .limitHit }
        if isUTF8, pattern.isMachineCode, !bytes.isEmpty {
            let answer = unsafe runMachineCode(pattern.plain, in: bytes)
            if answer != .limitHit { return answer }
        }
        return unsafe run(pattern.plain, in: bytes, isUTF8 ? PCRE2_NO_UTF_CHECK : 0, plain)
    }

    /// True if a pattern that is only found at the start of a value may be found in one that starts so.
    ///
    /// PCRE2 calls that a partial match. It answers that there is none where it failed before it looked behind the last
    /// byte; with whatever comes there it fails in the same way. It errs where a line ends with the last byte: behind a
    /// newline, `(?m)^` at the end of the text fails although a line may start there.
    ///
    /// - Parameters:
    ///   - pattern: One whose ``PatternReference/dependsOnBeginning``.
    ///   - beginning: One byte or more of ASCII, without control characters.
    func mayBeFound(_ pattern: PatternReference, behind beginning: Span<UInt8>) -> Bool {
        // The same machine code as that of searches, so that both fail in the same way.
        unsafe runMachineCode(pattern.plain, in: beginning, PCRE2_PARTIAL_HARD) != .notFound
    }

    /// Continues where a quick search gave up.
    @inline(never)
    func searchFurther(_ pattern: PatternReference, in bytes: Span<UInt8>, _ isUTF8: Bool) -> Answer {
        let key = Self.key(of: pattern, in: bytes)
        if pattern.isGivenUp(key.value) { return .limitHit }
        let answer = memo.answer(of: key) ?? searchAtLength(pattern, in: bytes, isUTF8)
        // A search that the clock ended says nothing of the value.
        if answer == .limitHit, isLate { return answer }
        memo.keep(answer, of: key)
        if answer == .limitHit { pattern.noteReachedLimit(key.value) }
        return answer
    }

    private var isLate: Bool { unsafe budget.pointee.deadline.map { ContinuousClock.now >= $0 } ?? false }

    // Counts what the search does, and gives up where that is more than a search may do.
    fileprivate func searchAtLength(_ pattern: PatternReference, in bytes: Span<UInt8>, _ isUTF8: Bool) -> Answer {
        // Values that were searched quickly were checked then.
        let check = isUTF8 || bytes.count <= Self.plainBytes ? PCRE2_NO_UTF_CHECK : 0
        unsafe budget.pointee = pattern.cost.budget(forBytes: bytes.count).until(budget.pointee.deadline)
        let answer = unsafe run(pattern.metered, in: bytes, check, metered)
        Self.processCost.add(unsafe budget.pointee.spent, ordering: .relaxed)
        return answer
    }

    // The result of `run`, without its checks.
    @inline(__always)
    private func runMachineCode(_ code: OpaquePointer, in bytes: Span<UInt8>, _ options: UInt32 = 0) -> Answer {
        defer { withExtendedLifetime(self) {} }
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            // SAFETY: PCRE2 reads `count` bytes during the call; they are UTF-8, and the code was compiled for this call.
            unsafe pcre2_jit_match_8(code, buffer.baseAddress, buffer.count, 0, options, data, plain)
        }
        return result >= 0 ? .found : result == PCRE2_ERROR_NOMATCH ? .notFound : .limitHit
    }

    private func run(
        _ code: OpaquePointer, in bytes: Span<UInt8>, _ options: UInt32, _ context: OpaquePointer?
    ) -> Answer {
        defer { withExtendedLifetime(self) {} }
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            // SAFETY: PCRE2 reads `count` bytes during the call, after checking that they are UTF-8 unless they are known
            // to be.
            unsafe pcre2_match_8(code, buffer.baseAddress, buffer.count, 0, options, data, context)
        }
        if result >= 0 { return .found }
        let isNotUTF8 = PCRE2_ERROR_UTF8_ERR21...PCRE2_ERROR_UTF8_ERR1 ~= result
        return result == PCRE2_ERROR_NOMATCH || isNotUTF8 ? .notFound : .limitHit
    }

    // The function that PCRE2 calls before each item of a metered pattern.
    private static let spend: Callout = { block, data in
        // SAFETY: PCRE2 hands over its block and the budget of the matcher, both of which live through the call.
        guard let block = unsafe block, let budget = unsafe data?.assumingMemoryBound(to: SearchBudget.self) else {
            return PCRE2_ERROR_CALLOUT
        }
        return unsafe budget.pointee.spend(movingTo: block.pointee.current_position) ? 0 : PCRE2_ERROR_CALLOUT
    }

    private typealias Callout =
        @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32
}
