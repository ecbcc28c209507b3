/// A collection of errors and warnings: each is in it once, in the order of files and positions.
///
/// For each file `DocumentLimits.maximumDiagnostics` errors are kept, and the same number of warnings. If there are more, one
/// further diagnostic says so.
package struct Diagnostics: Sendable {
    /// The problems of one severity in one file, which are counted together.
    private struct Kind: Hashable {
        let file: String
        let severity: Diagnostic.Severity
    }

    private var items: [Diagnostic] = []
    private var known: Set<Diagnostic> = []
    private var fileOrder: [String: Int] = [:]
    private var counts: [Kind: Int] = [:]
    // The kinds of which there were more problems than are kept.
    private var overflowed: Set<Kind> = []

    /// Makes an empty collection.
    package init() {}

    /// Makes a collection of one problem.
    package init(_ diagnostic: Diagnostic) {
        add(diagnostic)
    }

    /// True if there is no problem.
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

    /// Removes problems in place of which better ones are reported.
    package mutating func remove(where isObsolete: (Diagnostic) -> Bool) {
        for item in items where isObsolete(item) {
            known.remove(item)
            counts[Kind(file: item.file, severity: item.severity), default: 1] -= 1
        }
        counts = counts.filter { $0.value > 0 }
        items.removeAll(where: isObsolete)
    }

    /// Adds all problems of another collection, as if they were found after those of this one.
    package mutating func merge(_ other: Diagnostics) {
        for item in other.items { add(item) }
        overflowed.formUnion(other.overflowed)
    }

    /// Every problem: by file, in the order in which files were placed or first had one; then by position; then in the order in
    /// which they were added. Behind those of a file are the diagnostics that say that there were more.
    package var all: [Diagnostic] {
        let overflow = overflowed.sorted { $0.severity == .error && $1.severity != .error }.map(Self.overflow)
        let entries = (items + overflow).enumerated().map { offset, item in
            (
                file: fileOrder[item.file] ?? 0, rank: offset < items.count ? 0 : 1, position: Self.position(of: item),
                offset: offset, item: item
            )
        }
        let sorted = entries.sorted { left, right in
            (left.file, left.rank, left.position, left.offset) < (right.file, right.rank, right.position, right.offset)
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

    // The diagnostic that says that there were more problems of a kind.
    private static func overflow(_ kind: Kind) -> Diagnostic {
        let message =
            "more than \(DocumentLimits.maximumDiagnostics) \(kind.severity.rawValue)s; the others are not shown"
        return Diagnostic(severity: kind.severity, file: kind.file, message: message)
    }

    /// The same diagnostics, in which `…` replaces quotations of a file unless they are among some words.
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
                    line: diagnostic.line, message: Self.quoting(words, in: diagnostic.message),
                    hint: diagnostic.hint.map { Self.quoting(words, in: $0) }))
        }
        return shown
    }

    // Hides everything from the first back quote to the last one, since quoted text may itself contain back quotes, except the
    // first quotation if it is one of the words. Compares bytes: in a string, a back quote with a combining mark is another
    // character.
    private static func quoting(_ words: Set<String>, in text: String) -> String {
        let (bytes, quote) = (Array(text.utf8), UInt8(ascii: "`"))
        guard let first = bytes.firstIndex(of: quote), let last = bytes.lastIndex(of: quote) else { return text }
        let after = bytes[(first + 1)...]
        let word = String(decoding: after.prefix { $0 != quote }, as: UTF8.self)
        let rest = String(decoding: bytes[(last + 1)...], as: UTF8.self)
        let beginning = String(decoding: bytes[..<first], as: UTF8.self)
        guard words.contains(word) else { return beginning + "`…`" + rest }
        let isWhole = first + 1 + word.utf8.count == last
        return beginning + "`\(word)`" + (isWhole ? "" : "…") + rest
    }
}
