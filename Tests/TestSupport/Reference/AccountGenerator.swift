/// Draws accounts, and changes of accounts, from a seed.
struct AccountGenerator {
    private var chance: SplitMix64
    private let flags: [ReferenceFlag]
    private let name: String
    private let propagation: Int
    // Every filter that the account ever has; changes take some away and bring them back.
    private let filterPool: [ReferenceFilter]

    /// The devices that attest, and so those with entries.
    static let devices = [Sample.device, Sample.otherDevice, Sample.odd] + (1...4).map(Sample.device)
    /// The values of attributes, by key.
    static let values = [
        "ip": ["1.2.3.4", "1.2.3.40", "11.2.3.4", "10.0.0.7", ""],
        "device": ["Android 7.1, Nexus", "Android 8.1.0, Nexus 5X", "iOS, 12.1.2, iPhone7,2", "android 7"],
        "user-property": ["caf\u{E9}", "cafe\u{301}", "cafe", "gold", "Gold"],
    ]
    private static let keys = ["ip", "device", "user-property", "flags-all", "public-flags", "nowhere"]
    private static let names = FlagFacts.names

    init(_ chance: SplitMix64) {
        var chance = chance
        name = chance.pick(["test-account", "account", "konto-\u{E9}"])
        propagation = chance.pick([0, 0, 30, 600])
        flags = chance.some(of: ["extra-one", "extra-two", "a-last"], 50).map { [isRisk = chance.happens(50)] in
            ReferenceFlag(name: $0, isRisk: isRisk)
        }
        filterPool = Self.filters(&chance, flagNames: Self.names + flags.map(\.name))
        self.chance = chance
    }

    init(seed: UInt64) { self.init(SplitMix64(seed: seed)) }

    /// A whole account.
    mutating func account() -> ReferenceAccount {
        var account = ReferenceAccount(name: name, flags: flags, propagation: propagation)
        account.policy = policy()
        account.grace = chance.pick([10, 10, 0, 25])
        account.sampledThousandths = chance.pick([0, 0, 100, 30_000, 50_000, 99_999, 100_000])
        account.filters = chance.some(of: filterPool, 90)
        account.devices = devices()
        return account
    }

    /// The account with some of its parts drawn anew.
    mutating func change(of account: ReferenceAccount) -> ReferenceAccount {
        let other = self.account()
        var changed = account
        if chance.happens(40) { changed.policy = other.policy }
        if chance.happens(20) { changed.grace = other.grace }
        if chance.happens(30) { changed.sampledThousandths = other.sampledThousandths }
        if chance.happens(60) { changed.filters = chance.happens(50) ? filterPool : other.filters }
        if chance.happens(50) { changed.devices = other.devices }
        return changed
    }

    private mutating func policy() -> ReferencePolicy {
        var policy = ReferencePolicy()
        policy.rules = chance.happens(60) ? "default" : chance.pick(ReferenceAccount.declaredRules)
        policy.preset = chance.pick(PresetFacts.names)
        if chance.happens(35) {
            for _ in 0...chance.below(4) {
                policy.edits.append(ReferenceEdit(adds: chance.happens(60), flag: chance.pick(editedFlags)))
            }
        }
        policy.annotation = annotation()
        return policy
    }

    // Those that matter most come up more often.
    private var editedFlags: [String] {
        Self.names + flags.map(\.name) + ["rooted", "xposed", "did-ban", "safetynet-fail-integrity", "risky-device"]
    }

    private mutating func annotation() -> String {
        if chance.happens(70) { return chance.pick(["default", "info", "risk", "all"]) }
        let named = (0...chance.below(4)).map { _ in chance.pick(editedFlags) }
        return named.joined(separator: "+")
    }

    private mutating func devices() -> [ReferenceDevice] {
        var entries: [ReferenceDevice] = []
        for device in chance.some(of: chance.shuffled(Self.devices), 40) {
            var entry = ReferenceDevice(device: device)
            if chance.happens(50) { entry.policy = policy() }
            if chance.happens(50) { entry.banMode = chance.pick(["ban", "ban", "unban"]) }
            entries.append(entry)
        }
        guard chance.happens(60) else { return entries }
        let filtered = ReferenceDevice(device: Sample.filteredPolicy, policy: chance.happens(90) ? policy() : nil)
        return [filtered] + entries
    }

    private static func filters(_ chance: inout SplitMix64, flagNames: [String]) -> [ReferenceFilter] {
        let count = chance.pick([0, 2, 5, 8, 15, 25])
        let names = chance.shuffled((0..<count).map { "filter-\($0)" })
        // The first half are ordinary filters; conjunctions take those, or one that is not there.
        let ordinary = Array(names.prefix((count + 1) / 2)) + ["missing"]
        return chance.shuffled(names).map { name in
            let isConjunction = !ordinary.contains(name) && chance.happens(70)
            let inputs = Array(chance.shuffled(ordinary).prefix(1 + chance.below(3)))
            let test = isConjunction ? .conjunction(inputs) : ordinaryTest(&chance, flagNames: flagNames)
            return ReferenceFilter(
                name: name, test: test, options: Set(chance.some(of: ReferenceFilter.Option.allCases, 20)))
        }
    }

    private static func ordinaryTest(_ chance: inout SplitMix64, flagNames: [String]) -> ReferenceFilter.Test {
        let key = chance.pick(keys)
        guard let values = values[key] else {
            let names = (0...chance.below(3)).map { _ in chance.pick(flagNames) }
            let pattern = SimplePattern(
                fromStart: chance.happens(20), alternatives: names, toEnd: chance.happens(20))
            if chance.happens(70) { return .regex(key: key, pattern: pattern) }
            return .exact(key: key, value: chance.pick(["", "rooted", "rooted,xposed", "did-ban", names[0]]))
        }
        if chance.happens(40) { return .exact(key: key, value: chance.pick(values)) }
        let parts = (0...chance.below(2)).map { _ in String(chance.pick(values).unicodeScalars.prefix(7)) }
        return .regex(
            key: key,
            pattern: SimplePattern(fromStart: chance.happens(30), alternatives: parts, toEnd: chance.happens(30))
        )
    }
}
