import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Two accounts with few flags, attributes and letters, drawn at random; mostly the second is the first with few edits.
struct RandomPair {
    private(set) var before: Account
    private(set) var after: Account
    private var chance: Chance

    /// The flags that records may have; all others never occur.
    static let flags = ["rooted", "xposed", "did-ban", "did-unban", "new-did"]
    /// Devices that accounts may have entries of.
    static let devices = ["BAAAAAAAAAAAAAAAAAAAAA==", "CAAAAAAAAAAAAAAAAAAAAA=="]
    static let keys = ["first", "second"]

    /// - Parameters:
    ///   - seed: The seed of all that is drawn.
    ///   - isOpen: True if some patterns are no regular expressions.
    init(seed: UInt64, isOpen: Bool = false) throws {
        var chance = Chance(seed: seed)
        let patterns = isOpen ? Self.patterns + Self.openPatterns : Self.patterns
        before = try Self.account(patterns, &chance)
        if chance.happens(25) {
            after = try Self.account(patterns, &chance)
        } else {
            after = before
            for _ in 0...chance.below(3) { try Self.edit(&after, patterns, &chance) }
        }
        self.chance = chance
    }

    private static func account(_ patterns: [String], _ chance: inout Chance) throws -> Account {
        var account = Account(name: chance.pick(["one", "one", "other"]))
        account.declaredRules = ["alt"]
        account.policy = policy("default", account, &chance)
        account.samplingPercentage = share(&chance)
        for number in 0..<chance.below(5) { try account.append(filter("f\(number)", patterns, &chance)) }
        if account.filters.count > 1, chance.happens(40) {
            let inputs = Array(account.filters.map(\.name).prefix(2))
            try account.append(Filter(name: "c", test: .conjunction(inputs), options: options(&chance)))
        }
        for device in devices where chance.happens(25) { try account.append(entry(device, account, &chance)) }
        if chance.happens(60) {
            let id = try #require(DeviceID(DeviceID.filteredPolicyText))
            try account.append(
                DeviceEntry(id: id, policy: policy(chance.pick(["alt", "alt", "default"]), account, &chance)))
        }
        return account
    }

    private static func edit(
        _ account: inout Account, _ patterns: [String], _ chance: inout Chance
    ) throws {
        switch chance.below(6) {
        case 0: account.policy = policy("default", account, &chance)
        case 1: change(&account.policy.rejection, account, &chance)
        case 2: account.samplingPercentage = share(&chance)
        case 3:
            let name = "f\(chance.below(5))"
            let isThere = account.filters.contains { $0.name == name }
            if isThere || account.filters.count < 5 { try account.set(filter(name, patterns, &chance)) }
        case 4:
            if let name = account.filters.filter({ $0.inputs == nil }).map(\.name).first {
                try account.removeFilter(named: name)
            }
        default:
            let id = try #require(DeviceID(chance.pick(devices)))
            if account.devices.contains(where: { $0.id == id }) {
                try account.removeDevice(id)
            } else {
                try account.append(entry(id.description, account, &chance))
            }
        }
    }

    private static func policy(_ rules: String, _ account: Account, _ chance: inout Chance) -> SecurityPolicy {
        let presets: [RejectionPreset] = [
            .default, .default, .allowXposed, .allowRoot, .allowRootAndJailbroken, .whitelist, .blacklist,
        ]
        var rejection = RejectionPolicy(preset: chance.pick(presets))
        if chance.happens(40) { change(&rejection, account, &chance) }
        return SecurityPolicy(rules: rules, rejection: rejection, annotation: .none)
    }

    private static func change(_ rejection: inout RejectionPolicy, _ account: Account, _ chance: inout Chance) {
        let names = flags + ["risky-device"]
        guard let flag = account.catalogue.namedFlag(chance.pick(names)) else { return }
        if chance.happens(50) { rejection.addRejectFlag(flag) } else { rejection.removeRejectFlag(flag) }
    }

    private static func share(_ chance: inout Chance) -> Percentage {
        Percentage(chance.pick(["0", "0", "30", "60", "100"])) ?? .zero
    }

    private static func entry(_ id: String, _ account: Account, _ chance: inout Chance) throws -> DeviceEntry {
        var entry = DeviceEntry(id: try #require(DeviceID(id)))
        if chance.happens(50) { entry.policy = policy("default", account, &chance) }
        if chance.happens(60) { entry.banMode = chance.pick([.ban, .ban, .unban]) }
        return entry
    }

    private static let options: [Filter.Options] = [.reject, .reject, .ban, .risky, .executeFilteredPolicy]

    private static func options(_ chance: inout Chance) -> Filter.Options {
        var result = chance.happens(85) ? chance.pick(options) : []
        if chance.happens(20) { result.formUnion(chance.pick(options)) }
        if chance.happens(20) { result.formUnion(.newDevicesOnly) }
        return result
    }

    private static let patterns = [
        "a", "b", "^a", "b$", "ab", "^$", "a+b?$", "[^a]", "^[ab]$", "(a|b){2}", "^.b", "^a|b$", "(?i)A", "a.b", "\\bb",
        "^c?$",
    ]
    private static let openPatterns = ["(?=a)a", "^(?!a)", "b(?!a)", "(a|b)\\1", "(?>a+)b", "(?<=b)a"]
    private static let listPatterns = [
        "rooted", "^rooted$", "xposed$", "rooted,xposed", "did-ban", "did-", "^$", "^[^,]+$", ",", "ed,did",
    ]

    private static func filter(
        _ name: String, _ patterns: [String], _ chance: inout Chance
    ) throws -> Filter {
        let test: Filter.Test
        switch chance.below(10) {
        case 0: test = .exact(key: chance.pick(keys), value: chance.pick(["a", "", "ab", "c"]))
        case 1: test = .exact(key: "flags-all", value: chance.pick(["", "rooted", "rooted,xposed"]))
        case 2: test = .regex(key: "public-flags", pattern: try Pattern(chance.pick(listPatterns)))
        case 3: test = .regex(key: "device-id", pattern: try Pattern(chance.pick(["^A", "^[BC]", "^[^A]"])))
        case 4: test = .regex(key: keys[1], pattern: try Pattern(chance.pick(["a", "^$", "[^a]"])))
        default: test = .regex(key: keys[0], pattern: try Pattern(chance.pick(patterns)))
        }
        return try Filter(name: name, test: test, options: options(&chance))
    }
}
