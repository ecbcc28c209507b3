internal import Columns
internal import Documents

/// The findings in the values of a dictionary that all workers know: what one of them has looked at, no other looks at.
///
/// Only findings that are the same whoever looks. If a stream has several dictionaries, those of the one that a worker began last.
final class SharedFindings<Found: Finding>: Sendable {
    private let known = Lock(NumberedFindings<Found>())

    /// Begins with a dictionary, unless another worker has.
    func begin(_ dictionary: ColumnDictionary) {
        known.withLock { if $0.dictionary !== dictionary { $0.begin(dictionary) } }
    }

    /// Adds what others have found to the findings of a worker.
    ///
    /// - Parameters:
    ///   - keys: The keys of values; those in which nobody looked are left.
    ///   - findings: The findings of the worker in the same dictionary.
    func add(_ keys: inout [Int], to findings: inout NumberedFindings<Found>) {
        known.withLock { known in
            guard known.dictionary === findings.dictionary else { return }
            keys.removeAll { key in
                guard let found = known[key] else { return false }
                findings.note(found, at: key)
                return true
            }
        }
    }

    /// Takes what a worker has found.
    func take(_ keys: [Int], of findings: NumberedFindings<Found>) {
        guard !keys.isEmpty else { return }
        known.withLock { known in
            guard known.dictionary === findings.dictionary else { return }
            for key in keys { if let found = findings[key] { known.note(found, at: key) } }
        }
    }
}

/// Hands the same shared findings to all workers of a replay, who ask for them by the same numbers.
final class FindingsExchange: Sendable {
    private let shared = Lock<[Int: any Sendable]>([:])

    /// The numbers of what is found in every record, whatever the examiner.
    static let (flags, systems) = (-1, -2)

    /// The findings of a field.
    ///
    /// - Parameter field: The field, by its index among those of the examiner; lists of flags and systems have numbers of their own.
    func findings<Found: Finding>(ofField field: Int) -> SharedFindings<Found>? {
        shared.withLock { shared in
            if let known = shared[field] { return known as? SharedFindings<Found> }
            let new = SharedFindings<Found>()
            shared[field] = new
            return new
        }
    }
}
