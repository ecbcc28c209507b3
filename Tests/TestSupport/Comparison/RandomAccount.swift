import PolicyEngine

/// Draws the text of an account file.
struct RandomAccount {
    private var chance: Chance
    private let flags: [Declared]

    /// A flag that the account declares.
    struct Declared: Hashable {
        let name: String
        let isRisk: Bool
    }

    private static let builtIn = FlagCatalogue().declaredNames
    private static let presets = [
        "default", "strict", "allow-cloned", "allow-xposed", "allow-root", "allow-root-and-jailbroken",
        "allow-root-and-jailbroken-only", "allow-raj-only-short-lifetime", "whitelist", "blacklist",
    ]
    private static let tests = [
        "key: ip, match: 1.2.3.4", #"key: ip, regex: '^10\.'"#, "key: device, regex: Android 8",
        "key: device, regex: iOS", "key: user-property, match: gold", "key: flags-all, regex: rooted",
        "key: flags-all, match: ''", "key: public-flags, regex: 'zz-unknown|xposed'", "key: app-version, match: '1.0'",
        "key: nowhere, match: x", "key: device-id, regex: '^[A-M]'", "key: flags-all, regex: did-ban",
        "key: flags-all, regex: 'extra-one|new-did'", "key: appid, regex: com.b",
        // These show in which order the account has its flags.
        "key: flags-all, regex: 'extra-one,(extra-two|aa-unknown)'", "key: public-flags, regex: 'unknown,extra'",
    ]
    private static let options = [
        "reject", "reject", "ban", "risky", "new-did-only", "capture-device-info", "exec-filtered-sec-policy",
    ]

    /// - Parameters:
    ///   - seed: The seed of all draws.
    ///   - flags: The flags that the account declares, in this order.
    init(seed: UInt64, flags: [Declared]) {
        chance = Chance(seed: seed)
        self.flags = flags
    }

    /// The account as YAML.
    mutating func text() -> String {
        var lines = ["account: \(chance.pick(["test-account", "konto"]))", "rules: [alt, other]"]
        if !flags.isEmpty { lines += ["flags:"] + flags.map { "  - {name: \($0.name), risk: \($0.isRisk)}" } }
        lines.append("policy: '\(policy())'")
        if chance.happens(30) { lines.append("reject-flags: {add: [\(names(2))]}") }
        if chance.happens(20) { lines.append("reject-flags: {remove: [\(names(2))]}") }
        if lines.count(where: { $0.hasPrefix("reject-flags") }) > 1 { lines.removeLast() }
        lines.append("sampling-percentage: \(chance.pick(["0", "0", "30", "99.9", "100"]))")
        lines.append("grace: \(chance.pick(["10s", "0s"]))")
        lines.append("arc: \(chance.pick(["on", "off"]))")
        lines.append("billing-day: \(chance.pick(["1", "1", "28"]))")
        lines += filters() + devices()
        return lines.joined(separator: "\n") + "\n"
    }

    private var known: [String] { Self.builtIn + flags.map(\.name) }

    // Different ones, since naming one twice is an error.
    private mutating func names(_ count: Int) -> String {
        chance.shuffled(known + ["rooted"]).prefix(count).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }.joined(separator: ", ")
    }

    private mutating func policy() -> String {
        let annotation =
            chance.happens(60)
            ? chance.pick(["default", "info", "risk", "all"])
            : (0...chance.below(3)).map { _ in chance.pick(known) }.joined(separator: "+")
        let rules = chance.happens(70) ? "default" : chance.pick(["alt", "other"])
        return "\(rules),\(chance.pick(Self.presets.dropLast(chance.happens(50) ? 1 : 0))),\(annotation)"
    }

    private mutating func filters() -> [String] {
        let tests = chance.some(of: chance.shuffled(Self.tests), 40)
        guard !tests.isEmpty else { return [] }
        var filters = tests.enumerated().map { index, test in "{name: f\(index), \(test)\(options())}" }
        for number in 0..<chance.below(4) {
            let inputs = (0...chance.below(2)).map { _ in "f\(chance.below(tests.count + 1))" }
            let distinct = inputs.enumerated().filter { inputs.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            filters.append("{name: c\(number), conjunction: [\(distinct.joined(separator: ", "))]\(options())}")
        }
        return ["filters:"] + chance.shuffled(filters).map { "  - \($0)" }
    }

    private mutating func options() -> String {
        Set(chance.some(of: Self.options, 12)).sorted().map { ", \($0): true" }.joined()
    }

    private mutating func devices() -> [String] {
        var entries: [String] = []
        for id in chance.some(of: RandomCapture.devices, 15) {
            var entry = "id: \(id)"
            if chance.happens(50) { entry += ", policy: '\(policy())'" }
            if chance.happens(60) { entry += ", ban-mode: \(chance.pick(["ban", "ban", "unban"]))" }
            entries.append(entry)
        }
        if chance.happens(70) { entries.append("id: ++FilteredSecPolicy++w==, policy: '\(policy())'") }
        return entries.isEmpty ? [] : ["devices:"] + entries.map { "  - {\($0)}" }
    }
}

extension RandomAccount {
    /// The text of an account without all that depends on new devices: filters for those alone look for what nothing has, and
    /// `new-did` rejects nowhere.
    static func withoutNewDevices(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            if line.contains("new-did-only: true"), let name = line.split(separator: ",").first {
                let options = line.split(separator: ", ").filter { $0.contains(": true") && !$0.contains("conj") }
                    .map { $0.replacing("}", with: "") }
                return "\(name), key: what-nothing-has, match: x"
                    + options.filter { !$0.hasPrefix("new-did-only") }.map { ", \($0)" }.joined() + "}"
            }
            guard line.hasPrefix("reject-flags: {add:"), line.contains("new-did") else { return String(line) }
            let others = line.replacing("reject-flags: {add: [", with: "").replacing("]}", with: "")
                .split(separator: ", ").filter { $0 != "new-did" }.joined(separator: ", ")
            return "reject-flags: {add: [\(others)], remove: [new-did]}"
        }.joined(separator: "\n") + "\n"
    }
}
