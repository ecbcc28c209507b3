internal import PolicyEngine

/// The number of passes and the number of failures of something.
package struct VerdictCounts: Hashable, Sendable {
    package var passed = 0
    package var failed = 0

    package init() {}

    /// Both together.
    package var total: Int { passed + failed }

    mutating func count(passed isPass: Bool) {
        if isPass { passed += 1 } else { failed += 1 }
    }

    /// Both counts together with those of others.
    package func adding(_ other: VerdictCounts) -> VerdictCounts {
        var sum = self
        sum.passed += other.passed
        sum.failed += other.failed
        return sum
    }
}
