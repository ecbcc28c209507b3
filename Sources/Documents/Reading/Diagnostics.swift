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

    /// Whether nothing was found.
    package var isEmpty: Bool { items.isEmpty }

    /// Whether an error is among them; warnings do not count.
    package var hasErrors: Bool { counts.keys.contains { $0.severity == .error } }

    /// Adds a problem, unless the same was added before.
    package mutating func add(_ diagnostic: Diagnostic) {
        guard hasRoom(for: diagnostic.severity, in: diagnostic.file) else {
            if !known.contains(diagnostic) { omit(diagnostic.severity, in: diagnostic.file) }
            return
        }
        guard known.insert(diagnostic).inserted else { return }
        if fileOrder[diagnostic.file] == nil { fileOrder[diagnostic.file] = fileOrder.count }
        counts[Kind(file: diagnostic.file, severity: diagnostic.severity), default: 0] += 1
        items.append(diagnostic)
    }

    /// Adds problems in their order.
    package mutating func add(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { add(diagnostic) }
    }

    /// Takes problems out that are told better otherwise.
    package mutating func remove(where isTold: (Diagnostic) -> Bool) {
        for item in items where isTold(item) {
            known.remove(item)
            counts[Kind(file: item.file, severity: item.severity), default: 1] -= 1
        }
        counts = counts.filter { $0.value > 0 }
        items.removeAll(where: isTold)
    }

    /// Adds all problems of another collection behind those that are there.
    package mutating func merge(_ other: Diagnostics) {
        for item in other.items { add(item) }
        overflowed.formUnion(other.overflowed)
    }

    /// Every problem: files in the order in which they first came up, then by position, then as they were added.
    package var all: [Diagnostic] {
        let overflow = overflowed.sorted { $0.severity == .error && $1.severity != .error }.map(Self.more)
        let entries = (items + overflow).enumerated().map { offset, item in
            (file: fileOrder[item.file] ?? 0, place: Self.place(of: item), offset: offset, item: item)
        }
        let firstOverflow = items.count
        let sorted = entries.sorted { left, right in
            let isLeftLast = left.offset >= firstOverflow ? 1 : 0
            let isRightLast = right.offset >= firstOverflow ? 1 : 0
            return (left.file, isLeftLast, left.place, left.offset) < (
                right.file, isRightLast, right.place, right.offset
            )
        }
        return sorted.map(\.item)
    }

    /// Whether another problem of that kind would be kept; where not, `omit` notes that there was one.
    func hasRoom(for severity: Diagnostic.Severity, in file: String) -> Bool {
        counts[Kind(file: file, severity: severity), default: 0] < DocumentLimits.maximumDiagnostics
    }

    /// Notes that there are more problems in a file than are kept.
    mutating func omit(_ severity: Diagnostic.Severity, in file: String) {
        overflowed.insert(Kind(file: file, severity: severity))
    }

    private static func place(of item: Diagnostic) -> SourcePosition {
        item.position ?? SourcePosition(line: item.line ?? 0, column: 0)
    }

    private static func more(_ kind: Kind) -> Diagnostic {
        let message =
            "more than \(DocumentLimits.maximumDiagnostics) \(kind.severity.rawValue)s; the others are not shown"
        return Diagnostic(severity: kind.severity, file: kind.file, message: message)
    }
}
