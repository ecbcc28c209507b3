internal import PolicyEngine

/// Looks at no attribute: splitting needs none.
struct SplitMatcher: RecordMatcher {
    struct Matches: RecordMatches {
        var app: AppNumbers {
            get { .none }
            set {}
        }

        subscript(account: Int) -> AttributeMatches {
            get { .none }
            set {}
        }
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        matches = Array(repeating: Matches(), count: batch.heads.count)
    }
}
