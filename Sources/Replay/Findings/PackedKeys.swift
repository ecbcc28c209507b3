internal import Columns
internal import Documents
internal import PolicyEngine

/// The keys of the records that are packed: those of the service, and others as records bring them. Each has a column, by its index.
final class PackedKeys: Sendable {
    private let state = Lock(State())

    private struct State {
        var names = ["flags", "rejection-flags"] + InformationKeys.given
        var known: Set<ExactText> = []
        var texts: Set<Int> = []
        var refused: String?
    }

    /// Columns beside those of keys: time, device, and those of the origin.
    private static let besides = 2 + ColumnNames.origins.count
    /// The names that a packed capture has for something else.
    private static let reserved = ColumnNames.origins.exactTexts

    init() { state.withLock { $0.known = $0.names.exactTexts } }

    /// Adds keys. One that cannot be a column is noted as ``refusal``, and no further ones are taken.
    func add(_ names: [String]) {
        state.withLock { state in
            for name in names where state.refused == nil && state.known.insert(ExactText(name)).inserted {
                let isTooLong = name.utf8.count > ColumnLimits.nameBytes
                guard !isTooLong, !Self.reserved.contains(ExactText(name)),
                    state.names.count < ColumnLimits.columns - Self.besides
                else {
                    state.refused = name
                    return
                }
                state.names.append(name)
            }
        }
    }

    /// The keys so far, in the order of their columns.
    var names: [String] { state.withLock { $0.names } }

    /// A key that cannot be a column; `nil` if all can.
    var refusal: String? { state.withLock { $0.refused } }

    /// The columns that have too many values for a dictionary.
    var texts: Set<Int> { state.withLock { $0.texts } }

    /// Notes that a column has too many values for a dictionary.
    func noteText(_ column: Int) { state.withLock { _ = $0.texts.insert(column) } }

    /// The columns of some keys in the order of a file: those of the service in the order of its manual, then the others by their
    /// bytes, whoever saw them first.
    static func inOrder(_ names: [String]) -> [Int] {
        let known = ["flags", "rejection-flags"] + InformationKeys.given
        return known.indices + (known.count..<names.count).sorted { ExactText(names[$0]) < ExactText(names[$1]) }
    }
}
