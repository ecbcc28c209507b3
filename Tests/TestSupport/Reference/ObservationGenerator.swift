internal import PolicyEngine

/// Draws a stream of attestations from a seed: few devices, so that what they did before matters.
struct ObservationGenerator {
    private var chance: SplitMix64
    private let devices: [String]
    private let common: [String]
    private var time: Instant

    init(_ chance: SplitMix64, declared: [String]) {
        var chance = chance
        devices = Array(chance.shuffled(AccountGenerator.devices).prefix(1 + chance.below(6)))
        // A handful of flags that this stream favours, beside all the others.
        let names = FlagFacts.names + declared + ["zz-unknown", "aa-unknown"]
        let favoured = ["rooted", "xposed", "root-risk", "automated", "safetynet-fail-integrity"]
        common = Array(chance.shuffled(names).prefix(6)) + favoured + declared
        // The evening before the end of a leap February, so that days and months turn.
        time = Instant(secondsSinceEpoch: 1_582_934_400 - 3 * 3600 + chance.below(7200))
        self.chance = chance
    }

    init(seed: UInt64, declared: [String]) { self.init(SplitMix64(seed: seed), declared: declared) }

    /// Now.
    var now: Instant { time }

    /// The next attestation, at the same time or later.
    mutating func next() -> Observation {
        time = time + chance.pick([0, 0, 1, 10, 29, 30, 31, 300, 3600, 20_000])
        var observation = Observation(time: time, device: chance.pick(devices))
        observation.flags = Array(Set(flags())).sorted()
        for (key, values) in AccountGenerator.values.sorted(by: { $0.key < $1.key }) where chance.happens(80) {
            observation.attributes[key] = chance.pick(values)
        }
        return observation
    }

    private mutating func flags() -> [String] {
        var flags = chance.happens(25) ? [] : chance.some(of: common, 12)
        if chance.happens(20) { flags.append(chance.pick(FlagFacts.names)) }
        // Observed unbans end every ban, so they stay rare.
        if flags.contains("did-unban"), chance.happens(80) { flags.removeAll { $0 == "did-unban" } }
        if chance.happens(3) { flags.append("did-ban") }
        if chance.happens(3) { flags.append(chance.pick(["new-did", "risky-device", "aa-unknown"])) }
        return flags
    }
}
