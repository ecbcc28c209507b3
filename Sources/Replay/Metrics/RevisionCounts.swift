internal import PolicyEngine

/// What is counted by places that have a meaning in one revision of the account only: policies and filters.
package struct RevisionCounts {
    package var policies: [Int] = []
    package var matches: [Int] = []
    var rejections: [Int] = []
    var limitHits: [Int] = []

    package init() {}

    mutating func count(_ decision: Decision) {
        Self.add(1, at: decision.policy.offset, to: &policies)
        for place in decision.filters { Self.add(1, at: place, to: &matches) }
        for place in decision.rejectingFilters { Self.add(1, at: place, to: &rejections) }
        for place in decision.limitHits { Self.add(1, at: place, to: &limitHits) }
    }

    private static func add(_ amount: Int, at place: Int, to counts: inout [Int]) {
        while counts.count <= place { counts.append(0) }
        counts[place] += amount
    }
}
