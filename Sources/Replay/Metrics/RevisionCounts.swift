internal import PolicyEngine

/// Counts by indices that have a meaning in one revision of the account only: policies and filters.
package struct RevisionCounts: Sendable {
    /// The decisions by policy; those behind the end of the list are 0.
    package var policies: [Int] = []
    /// By filter.
    package var matches: [Int] = []
    var rejections: [Int] = []
    var limitHits: [Int] = []

    package init() {}
}

/// Counts the decisions of each revision.
struct RevisionTally: Sendable {
    // Of the current revision.
    private var revision = 0
    private var policy = 0
    // The decisions by the current policy that are not in `policies` yet.
    private var run = 0
    private var policies: [Int] = []
    private var matches = BitTally<UInt32>()
    private var rejections = BitTally<UInt32>()
    private var limitHits = BitTally<UInt32>()
    // Of the revisions before.
    private var closed: [RevisionCounts] = []

    /// Counts a decision; revisions follow one another.
    @inline(__always)
    mutating func count(_ decision: Decision) {
        if decision.revision != revision { move(to: decision.revision) }
        if decision.policy.offset != policy { move(toPolicy: decision.policy.offset) }
        run &+= 1
        matches.add(decision.filters.bits)
        if !decision.rejectingFilters.isEmpty { rejections.add(decision.rejectingFilters.bits) }
        if !decision.limitHits.isEmpty { limitHits.add(decision.limitHits.bits) }
    }

    /// Counts decisions of the current revision by a policy.
    mutating func add(_ count: Int, byPolicy policy: Int) {
        while policies.count <= policy { policies.append(0) }
        policies[policy] += count
    }

    /// Counts the filters that matched in several decisions of the current revision, and those that rejected.
    mutating func add(_ count: Int, matched: FilterSet, rejecting: FilterSet) {
        matches.add(matched.bits, times: count)
        rejections.add(rejecting.bits, times: count)
    }

    /// The counts by revision, as far as decisions were made.
    var all: [RevisionCounts] {
        var moved = self
        moved.move(to: revision + 1)
        return moved.closed
    }

    @inline(never)
    private mutating func move(to next: Int) {
        move(toPolicy: 0)
        while closed.count <= revision { closed.append(RevisionCounts()) }
        closed[revision].policies = policies
        closed[revision].matches = matches.all
        closed[revision].rejections = rejections.all
        closed[revision].limitHits = limitHits.all
        let before = closed
        self = RevisionTally()
        (revision, closed) = (next, before)
    }

    @inline(never)
    private mutating func move(toPolicy next: Int) {
        if run > 0 {
            while policies.count <= policy { policies.append(0) }
            policies[policy] += run
        }
        (policy, run) = (next, 0)
    }
}
