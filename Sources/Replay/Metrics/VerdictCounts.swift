/// How often something went with a pass and how often with a failure.
package struct VerdictCounts: Hashable, Sendable {
    package var passed = 0
    package var failed = 0

    package init() {}

    /// Both together.
    package var total: Int { passed + failed }

    mutating func count(passed isPass: Bool) {
        if isPass { passed += 1 } else { failed += 1 }
    }
}
