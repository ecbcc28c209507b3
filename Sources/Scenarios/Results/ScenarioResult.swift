package import Replay

/// How one scenario went.
package struct ScenarioResult: Sendable {
    package var name: String
    package var file: String
    /// The expectations, in the order in which they were checked.
    package var expectations: [ExpectationResult] = []
    /// What happened, a line for each step; filled when asked for.
    package var log: [String] = []
    /// What its commands printed.
    package var printed: [String] = []
    /// What was counted.
    package var figures = Figures()
    /// What of the rules and its accounts it exercised, where that was asked for.
    package var coverage: Coverage?
    /// How long it took, where that was asked for.
    package var duration: Duration?
    /// How often fetches were served, and how.
    package var fetches = FetchCounts()

    package init(name: String, file: String) {
        self.name = name
        self.file = file
    }

    /// Whether every expectation held.
    package var passed: Bool { expectations.allSatisfy(\.passed) }

    /// Client fetches by what became of them.
    package struct FetchCounts: Hashable, Sendable {
        package var attested = 0
        package var cached = 0
        package var failed = 0

        package var total: Int { attested + cached + failed }
    }
}
