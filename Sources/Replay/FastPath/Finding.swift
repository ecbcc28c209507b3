/// The findings in a value, or in several values of one record.
protocol Finding: Hashable, Sendable {
    /// The finding in a value that says nothing.
    static var nothing: Self { get }

    /// Adds what was found in another value of the same record.
    mutating func formUnion(_ other: Self)
}

/// A field that somebody looks at.
struct ExaminedField {
    /// The column of its values.
    let column: Int
    /// The cost of looking at one of them.
    var effort: Effort

    /// The cost of looking at a value.
    enum Effort {
        /// That of some searches by a regex, of whatever account; none counts as one.
        case searches(Int)
        /// Less than that of looking for what was found in the value before.
        case little
        /// As little, and something is found in these values alone.
        case onlyIn([[UInt8]])

        /// The cost of looking at a value for two reasons.
        static func + (one: Effort, other: Effort) -> Effort {
            switch (one, other) {
            case (.onlyIn(let values), .onlyIn(let others)): .onlyIn(values + others)
            case (.searches(let count), .searches(let more)): .searches(count + more)
            case (.searches(let count), _), (_, .searches(let count)): .searches(count)
            default: .little
            }
        }

        /// True if looking at a value costs less than looking for what was found in it before.
        var isLittle: Bool { searchCount == nil }

        /// The number of searches that cost as much, at least one; `nil` for little.
        var searchCount: Int? { if case .searches(let count) = self { max(1, count) } else { nil } }

        /// The values in which alone something is found, where that is known.
        var exactValues: [[UInt8]]? { if case .onlyIn(let values) = self { values } else { nil } }
    }
}
