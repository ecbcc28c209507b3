package import PolicyEngine

/// The number of passes and the number of failures of something.
package struct VerdictCounts: Addable, Hashable, Sendable {
    package var passed = 0
    package var failed = 0

    package init() {}

    /// Both together.
    package var total: Int { passed + failed }

    /// Adds both counts of others.
    package mutating func add(_ other: VerdictCounts) {
        passed += other.passed
        failed += other.failed
    }
}

extension VerdictCounts: PartialCodable {
    package var partial: JSONValue { .array([passed.partial, failed.partial]) }
    package init(_ reader: PartialReader) throws(PartialFailure) {
        self.init()
        (passed, failed) = try reader.pair()
    }
}
