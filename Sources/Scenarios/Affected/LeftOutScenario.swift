/// A scenario that is not run, since what changed does not affect it.
package struct LeftOutScenario: Hashable, Sendable {
    package let name: String
    package let file: String
    /// Why not, in words: lower case, no final period.
    package let reason: String

    package init(_ scenario: Scenario, reason: String) {
        (name, file, self.reason) = (scenario.name, scenario.file, reason)
    }
}
