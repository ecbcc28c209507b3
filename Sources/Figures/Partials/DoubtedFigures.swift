/// Figures, and the same without what depends on new devices.
package struct DoubtedFigures<Value: Doubtable>: Addable, Sendable {
    package var value: Value
    /// The figures that hold if no record has `new-did`; `nil` if nothing depends on that, or a record has it.
    package var doubtful: Value?

    package init(_ value: Value, doubtful: Value? = nil) { (self.value, self.doubtful) = (value, doubtful) }

    package mutating func add(_ other: DoubtedFigures) {
        value.add(other.value)
        addDoubt(other)
    }

    mutating func addDoubt(_ other: DoubtedFigures) {
        if let more = other.doubtful { doubtful?.add(more) } else { doubtful = nil }
    }

    /// Takes what holds now that all records are read.
    package mutating func finish() {
        if let doubtful { value.finish(doubtful) }
    }
}

/// Figures of which some depend on which devices are new.
package protocol Doubtable: Addable, Sendable {
    /// Takes the figures without what depends on new devices, and keeps what is compared record by record.
    mutating func finish(_ doubtful: Self)
}

extension Figures: Doubtable {}
