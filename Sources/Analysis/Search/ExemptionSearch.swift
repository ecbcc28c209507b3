internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Looks for the narrowest way to let in devices that are rejected by mistake.
///
/// A way is one edit of an account, or the few that do nothing without each other: a filter and the filtered policy that it executes
/// (R7.3), a conjunction and its inputs, the entries of devices, the flags that reject together.
struct ExemptionSearch {
    /// A way that was tried.
    struct Answer {
        let commands: [ManagementCommand]
        /// The account after them.
        let account: Account
        /// Its effects.
        let result: EditTrial.Result

        /// The devices that it leaves out though they were asked for, and others that it lets in, or may.
        var cost: [Int] { [result.remaining, result.others + result.unevaluated] }
    }

    let account: Account
    /// The records under the account, in the order of time, with the attributes that filters may look at.
    let records: [KeptRecord]
    /// The question's answer on each of them.
    let selection: RecordSelection
    /// Runs the patterns.
    let patterns: PatternMatcher
    /// When it takes too long.
    let deadline: ContinuousClock.Instant

    /// Tries all ways.
    ///
    /// - Returns: The answers, the best ones first: those that leave the fewest devices out that were asked for, then those that let in
    ///   the fewest others; the number of ways that were tried; and why filters were left out.
    /// - Complexity: O(records × filters that are tried).
    func run() throws(SearchFailure) -> (answers: [Answer], tried: Int, leftOut: [String]) {
        let open = records.indices.filter { isOpen($0) }
        guard !open.isEmpty else { throw .nothingToExempt }
        let ways = ExemptionWays(of: account, for: open.map { records[$0] }, among: others)
        var (found, tried): ([(rank: [Int], answer: Answer)], Int) = ([], 0)
        let asked = Set(open.map { records[$0].device }).count
        for group in ways.groups {
            let trial = EditTrial(group.matched, records, selection, patterns: patterns, deadline: deadline)
            guard let trial else { throw .late }
            var ofGroup: [(rank: [Int], answer: Answer)] = []
            for commands in group.ways {
                if Cancellation.isDue(by: deadline) { throw .late }
                guard let edited = account.edited(by: commands) else { continue }
                tried += 1
                guard let result = trial.result(of: edited), result.rejected == 0, result.remaining < asked else {
                    continue
                }
                let answer = Answer(commands: commands, account: edited, result: result)
                ofGroup.append((answer.cost + [commands.count, group.length, tried], answer))
            }
            ofGroup.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
            // Of a filter the first policy that does as much is enough.
            found += group.length > 0 ? ofGroup.prefix(1) : ofGroup[...]
        }
        found.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
        return (found.map(\.answer), tried, ways.leftOut)
    }

    // True for a record that fails and is to pass.
    private func isOpen(_ index: Int) -> Bool {
        selection.exempting[index] && !selection.rejecting[index] && !records[index].passed
    }

    // The records of others that fail, which a filter should not match.
    private var others: [KeptRecord] {
        let asked = Set(records.indices.filter { selection.exempting[$0] }.map { records[$0].device })
        return records.filter { !$0.passed && !asked.contains($0.device) }
    }
}

extension Account {
    /// The account after some commands; `nil` if it refuses one, or one changes nothing.
    func edited(by commands: [ManagementCommand]) -> Account? {
        var account = self
        for command in commands {
            guard let edited = command.edited(account) else { return nil }
            account = edited
        }
        return account
    }
}

/// The ways to exempt some records, by the account whose filters they need.
struct ExemptionWays {
    /// Ways for which the same filters are matched.
    struct Group {
        /// The account with all filters that the ways add, which do nothing there.
        let matched: Account
        var ways: [[ManagementCommand]]
        /// The length of the filters' tests: of two ways that do the same, people read the shorter one.
        var length = 0
    }

    private(set) var groups: [Group]
    /// Why filters were left out.
    private(set) var leftOut: [String] = []

    /// The greatest number of devices that get entries.
    private static let entryLimit = 10
    /// The greatest number of filters, or pairs of them, that are tried with each policy.
    private static let filterLimit = 12

    /// - Parameters:
    ///   - account: The account.
    ///   - records: Those that are to pass.
    ///   - others: Those of other devices that fail.
    init(of account: Account, for records: [KeptRecord], among others: [KeptRecord]) {
        let single = SingleEdits.all(of: account).map { [$0.command] }
        groups = [
            Group(matched: account, ways: single + Self.flags(records) + Self.entries(account, records))
        ]
        guard let policies = Self.filteredPolicies(account) else {
            leftOut.append(
                "the account declares no further rules, which the policy that a filter executes needs (R7.3)")
            return
        }
        let conditions = ExemptingCondition.all(matching: records, among: others)
        for condition in conditions.prefix(Self.filterLimit) {
            guard let filters = condition.filters(besides: account), let matched = Self.matching(filters, account)
            else {
                continue
            }
            let additions = filters.compactMap { ManagementCommand.addition(of: $0) }
            guard additions.count == filters.count else { continue }
            groups.append(
                Group(matched: matched, ways: policies.map { additions + $0 }, length: condition.length))
        }
    }

    // All flags together that reject some of the records.
    private static func flags(_ records: [KeptRecord]) -> [[ManagementCommand]] {
        let names = Set(records.flatMap(\.rejections)).filter { !$0.contains(":") }.sorted()
        return names.count > 1 ? [names.compactMap { .rejectFlag($0, isAdded: false) }] : []
    }

    private static func entries(_ account: Account, _ records: [KeptRecord]) -> [[ManagementCommand]] {
        let devices = records.map(\.device).reduce(into: [DeviceID]()) { if !$0.contains($1) { $0.append($1) } }
        guard devices.count <= entryLimit else { return [] }
        return presets(account, rules: account.policy.rules).map { policy in
            devices.compactMap { .entry("\($0)", "-policy", policy) }
        }
    }

    private static func presets(_ account: Account, rules: String) -> [String] {
        RejectionPreset.allCases.filter { $0 != .blacklist }.map {
            "\(rules),\($0.rawValue),\(account.policy.annotation.text)"
        }
    }

    // The commands that set the filtered policy: none where filters execute one already. `nil` where none has an effect.
    private static func filteredPolicies(_ account: Account) -> [[ManagementCommand]]? {
        let isExecuted = account.filters.contains { $0.options.contains(.executeFilteredPolicy) }
        if account.effectiveFilteredPolicy != nil, isExecuted || account.samplingPercentage != .zero { return [[]] }
        guard let rules = account.rules.first(where: { $0 != account.policy.rules }) else { return nil }
        return presets(account, rules: rules).compactMap { policy in
            ManagementCommand.entry(DeviceID.filteredPolicyText, "-policy", policy).map { [$0] }
        }
    }

    private static func matching(_ filters: [Filter], _ account: Account) -> Account? {
        var matched = account
        for filter in filters {
            guard let idle = try? Filter(name: filter.name, test: filter.test) else { return nil }
            do { try matched.set(idle) } catch { return nil }
        }
        return matched
    }
}

/// Something that the records that are to pass have in common, as one filter or a conjunction of two tests it.
struct ExemptingCondition {
    private let tests: [Filter.Test]
    // The other devices that fail and match.
    private let others: Set<DeviceID>

    /// The length of its values and patterns.
    var length: Int {
        tests.reduce(0) { sum, test in
            switch test {
            case .exact(_, let value): sum + value.utf8.count
            case .regex(_, let pattern): sum + pattern.source.utf8.count
            case .conjunction: sum
            }
        }
    }

    /// The number of attributes that pairs are made of.
    private static let pairLimit = 8
    /// The greatest number of values that a filter lists.
    private static let valueLimit = 3

    /// The conditions that all of some records meet, those first that the fewest others meet.
    static func all(matching records: [KeptRecord], among others: [KeptRecord]) -> [ExemptingCondition] {
        guard let first = records.first else { return [] }
        let matcher = PatternMatcher(keepsAll: true)
        let keys = first.attributes.map(\.key).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let tests = keys.filter(NarrowestFilter.takes).flatMap { Self.tests(matching: records, key: $0) }
        let singles = tests.map { test in
            ExemptingCondition(
                tests: [test], others: Set(others.filter { test.matches($0, by: matcher) }.map(\.device)))
        }.sorted(by: isNarrower)
        let best = singles.prefix(pairLimit)
        let pairs = best.indices.flatMap { one in
            best[(one + 1)...].compactMap { best[one].joined(with: $0) }
        }
        return (singles + pairs).sorted(by: isNarrower)
    }

    private static func isNarrower(_ left: ExemptingCondition, _ right: ExemptingCondition) -> Bool {
        let ranks = [left, right].map { [$0.others.count, $0.tests.count, $0.length] }
        return ranks[0].lexicographicallyPrecedes(ranks[1])
    }

    // Both together, if that is narrower than each.
    private func joined(with other: ExemptingCondition) -> ExemptingCondition? {
        let both = others.intersection(other.others)
        guard both.count < min(others.count, other.others.count), tests[0].key != other.tests[0].key else { return nil }
        return ExemptingCondition(tests: tests + other.tests, others: both)
    }

    // Few values are listed. Of more, what they have in common: their beginning up to a separator, and parts between commas.
    private static func tests(matching records: [KeptRecord], key: String) -> [Filter.Test] {
        let values = Set(records.compactMap { record in record.value(of: key).map { ExactText($0) } }).map(\.text)
        guard records.allSatisfy({ $0.value(of: key) != nil }), let first = values.first else { return [] }
        var sources: [String] = []
        let listed =
            values.count > valueLimit ? [] : Array(NarrowestFilter.tests(rejecting: records, key: key).tests.prefix(1))
        var start = Substring(first)
        for value in values { start = start.prefix(zip(start, value).prefix { $0 == $1 }.count) }
        let cut = start.lastIndex { !$0.isLetter && !$0.isNumber }.map { start[...$0] } ?? ""
        if values.count > 1, !cut.isEmpty { sources.append(#"\A"# + Escape.pattern(String(cut))) }
        let parts = values.map { $0.components() }
        for (index, part) in (parts.first ?? []).enumerated() where parts[0].count > 1 {
            guard !part.isEmpty, parts.allSatisfy({ index < $0.count && $0[index] == part }) else { continue }
            let before = index == 0 ? "" : "(?:[^,]*, ){\(index)}"
            sources.append(#"\A"# + before + Escape.pattern(part) + #"(?:,|\z)"#)
        }
        return listed
            + sources.compactMap { source in
                (try? Pattern(source)).map { Filter.Test.regex(key: key, pattern: $0) }
            }
    }

    /// The filters that test it, the last of which executes the filtered policy; `nil` where the account has no room.
    func filters(besides account: Account) -> [Filter]? {
        let taken = Set(account.filters.map(\.name))
        let names = (1...AccountLimits.filters * 2).map { "exempt-\($0)" }.filter { !taken.contains($0) }
        guard account.filters.count + (tests.count == 1 ? 1 : 3) <= AccountLimits.filters else { return nil }
        if tests.count == 1 {
            return (try? Filter(name: names[0], test: tests[0], options: .executeFilteredPolicy)).map { [$0] }
        }
        let inputs = zip(names, tests).compactMap { try? Filter(name: $0, test: $1) }
        let conjunction = try? Filter(
            name: names[2], test: .conjunction(inputs.map(\.name)), options: .executeFilteredPolicy)
        return conjunction.map { inputs + [$0] }
    }
}

extension Filter.Test {
    fileprivate var key: String? {
        switch self {
        case .exact(let key, _), .regex(let key, _): key
        case .conjunction: nil
        }
    }

    /// True if it matches a record, whose attributes were read.
    fileprivate func matches(_ record: KeptRecord, by matcher: PatternMatcher) -> Bool {
        switch self {
        case .exact(let key, let value): record.value(of: key).map { ExactText($0) == ExactText(value) } ?? false
        case .regex(let key, let pattern):
            record.value(of: key).map { matcher.isFound(pattern, in: $0) == true } ?? false
        case .conjunction: false
        }
    }
}

extension String {
    // Parts between commas and spaces.
    fileprivate func components() -> [String] {
        split(separator: ", ", omittingEmptySubsequences: false).map(String.init)
    }
}
