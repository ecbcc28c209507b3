/// Problems as they are collected: each once, in order of file and position.
///
/// For each file `DocumentLimits.maximumDiagnostics` errors are kept and as many warnings; the rest are only mentioned.
package struct Diagnostics: Sendable {
    private struct Kind: Hashable {
        let file: String
        let severity: Diagnostic.Severity
    }

    private var items: [Diagnostic] = []
    private var known: Set<Diagnostic> = []
    private var fileOrder: [String: Int] = [:]
    private var counts: [Kind: Int] = [:]
    private var overflowed: Set<Kind> = []

    /// Makes an empty collection.
    package init() {}

    /// Makes a collection of one problem.
    package init(_ diagnostic: Diagnostic) {
        add(diagnostic)
    }

    /// True if nothing was found.
    package var isEmpty: Bool { items.isEmpty }

    /// True if an error is among them; warnings do not count.
    package var hasErrors: Bool { counts.keys.contains { $0.severity == .error } }

    /// Adds a problem, unless the same was added before.
    package mutating func add(_ diagnostic: Diagnostic) {
        guard hasRoom(for: diagnostic.severity, in: diagnostic.file) else {
            if !known.contains(diagnostic) { omit(diagnostic.severity, in: diagnostic.file) }
            return
        }
        guard known.insert(diagnostic).inserted else { return }
        place(diagnostic.file)
        counts[Kind(file: diagnostic.file, severity: diagnostic.severity), default: 0] += 1
        items.append(diagnostic)
    }

    /// Gives the problems of a file a place behind those of the files before, though none is known yet.
    package mutating func place(_ file: String) {
        if fileOrder[file] == nil { fileOrder[file] = fileOrder.count }
    }

    /// Adds problems in their order.
    package mutating func add(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { add(diagnostic) }
    }

    /// Takes problems out that are reported better otherwise.
    package mutating func remove(where isObsolete: (Diagnostic) -> Bool) {
        for item in items where isObsolete(item) {
            known.remove(item)
            counts[Kind(file: item.file, severity: item.severity), default: 1] -= 1
        }
        counts = counts.filter { $0.value > 0 }
        items.removeAll(where: isObsolete)
    }

    /// Adds all problems of another collection behind those that are there.
    package mutating func merge(_ other: Diagnostics) {
        for item in other.items { add(item) }
        overflowed.formUnion(other.overflowed)
    }

    /// Every problem: files in the order in which they were placed or first came up, then by position, then as they were
    /// added.
    package var all: [Diagnostic] {
        let overflow = overflowed.sorted { $0.severity == .error && $1.severity != .error }.map(Self.more)
        let entries = (items + overflow).enumerated().map { offset, item in
            (file: fileOrder[item.file] ?? 0, position: Self.position(of: item), offset: offset, item: item)
        }
        let firstOverflow = items.count
        let sorted = entries.sorted { left, right in
            let isLeftLast = left.offset >= firstOverflow ? 1 : 0
            let isRightLast = right.offset >= firstOverflow ? 1 : 0
            return (left.file, isLeftLast, left.position, left.offset) < (
                right.file, isRightLast, right.position, right.offset
            )
        }
        return sorted.map(\.item)
    }

    /// The errors among them, in the same order.
    package var errors: [Diagnostic] { all.filter { $0.severity == .error } }

    /// True if another problem of that severity would be kept; if not, `omit` notes that there was one.
    func hasRoom(for severity: Diagnostic.Severity, in file: String) -> Bool {
        counts[Kind(file: file, severity: severity), default: 0] < DocumentLimits.maximumDiagnostics
    }

    /// Notes that there are more problems in a file than are kept.
    mutating func omit(_ severity: Diagnostic.Severity, in file: String) {
        overflowed.insert(Kind(file: file, severity: severity))
    }

    private static func position(of item: Diagnostic) -> SourcePosition {
        item.position ?? SourcePosition(line: item.line ?? 0, column: 0)
    }

    private static func more(_ kind: Kind) -> Diagnostic {
        let message =
            "more than \(DocumentLimits.maximumDiagnostics) \(kind.severity.rawValue)s; the others are not shown"
        return Diagnostic(severity: kind.severity, file: kind.file, message: message)
    }

    /// The same diagnostics without their quotations of a file, but for some words.
    ///
    /// - Parameters:
    ///   - words: The words that may be quoted.
    ///   - file: The file; diagnostics about others stay as they are.
    package func quotingOnly(_ words: Set<String>, in file: String) -> Diagnostics {
        var shown = Diagnostics()
        for diagnostic in all {
            guard diagnostic.file == file else {
                shown.add(diagnostic)
                continue
            }
            shown.add(
                Diagnostic(
                    severity: diagnostic.severity, file: diagnostic.file, position: diagnostic.position,
                    line: diagnostic.line, message: Self.shown(diagnostic.message, words),
                    hint: diagnostic.hint.map { Self.shown($0, words) }))
        }
        return shown
    }

    // By bytes: to a string, a back quote with a combining mark is another character. Quoted text may contain back quotes itself.
    // So nothing is shown from the first to the last of them but the first quotation, if it is a word.
    private static func shown(_ text: String, _ words: Set<String>) -> String {
        let (bytes, quote) = (Array(text.utf8), UInt8(ascii: "`"))
        guard let first = bytes.firstIndex(of: quote), let last = bytes.lastIndex(of: quote) else { return text }
        let after = bytes[(first + 1)...]
        let word = String(decoding: after.prefix { $0 != quote }, as: UTF8.self)
        let rest = String(decoding: bytes[(last + 1)...], as: UTF8.self)
        let beginning = String(decoding: bytes[..<first], as: UTF8.self)
        guard words.contains(word) else { return beginning + "`…`" + rest }
        let isAll = first + 1 + word.utf8.count == last
        return beginning + "`\(word)`" + (isAll ? "" : "…") + rest
    }
}
