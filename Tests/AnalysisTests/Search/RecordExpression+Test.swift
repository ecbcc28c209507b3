import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay

extension RecordExpression {
    /// True if the expression selects a record; every pattern must be searched to the end.
    func selects(_ record: KeptRecord) -> Bool {
        var isGivenUp = false
        let selects = selects(record, by: PatternMatcher(), isGivenUp: &isGivenUp)
        if isGivenUp { Issue.record("a pattern hit its match limit") }
        return selects
    }
}
