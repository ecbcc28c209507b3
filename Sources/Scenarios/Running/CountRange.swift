/// What a count may be: a number, or bounds (formats: Scenario, expectations).
struct CountRange: Hashable, Sendable, CustomStringConvertible {
    let atLeast: Int
    let atMost: Int

    /// Exactly one number.
    init(_ count: Int) {
        (atLeast, atMost) = (count, count)
    }

    /// Bounds, both included.
    init(atLeast: Int, atMost: Int) {
        (self.atLeast, self.atMost) = (atLeast, atMost)
    }

    /// Whether 0 will do though it is not what is asked for.
    var isVacuousAtZero: Bool { atLeast == 0 && atMost > 0 }

    /// Whether any number will do, so that nothing is asked for.
    var isUnbounded: Bool { atLeast == 0 && atMost == .max }

    func contains(_ count: Int) -> Bool { atLeast <= count && count <= atMost }

    /// `18`, `at least 10`, `at most 30`, `10 to 30`.
    var description: String {
        if atLeast == atMost { return "\(atLeast)" }
        if atMost == .max { return "at least \(atLeast)" }
        return atLeast == 0 ? "at most \(atMost)" : "\(atLeast) to \(atMost)"
    }
}
