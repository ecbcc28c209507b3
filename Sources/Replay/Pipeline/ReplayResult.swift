/// What the judge of some devices came to; results of different devices add up.
package protocol ReplayResult: Sendable {
    /// The figures of the decisions that are written.
    var figures: Figures { get set }

    /// Adds what the judge of other devices came to.
    mutating func merge(_ other: Self)

    /// Takes what holds now that all records are read.
    mutating func settle()
}

extension ReplayResult {
    package mutating func settle() {}
}
