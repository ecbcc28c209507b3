import PolicyEngine

/// Draws a capture of few devices that attest many times, so that what they did before matters.
struct RandomCapture {
    private var chance: Chance
    private let common: [String]
    private let present: [String]
    private var time: Instant

    static let devices = (1...8).map { DeviceID(first: UInt64($0) << 60, second: 0).description }
    private static let builtIn = FlagCatalogue().declaredNames
    private static let values = [
        ("appid", ["com.a", "com.b"]), ("app-version", ["1.0", "2.0", ""]),
        ("device", ["Android 8.1.0, Nexus", "iOS, 12.1, iPhone7,2", "Fuchsia"]),
        ("ip", ["1.2.3.4", "10.0.0.7", "11.2.3.4"]), ("user-property", ["gold", "Gold", ""]),
    ]

    /// - Parameters:
    ///   - seed: The seed of all draws.
    ///   - names: Flags that come up often, declared or not.
    init(seed: UInt64, flags names: [String]) {
        chance = Chance(seed: seed)
        let favoured = chance.shuffled(Self.builtIn).prefix(6)
        common = favoured + ["rooted", "xposed", "safetynet-fail-integrity"] + names
        present = Array(chance.shuffled(Self.devices).prefix(1 + chance.below(8)))
        // The evening before the end of a leap February, so that days and months turn.
        time = Instant(secondsSinceEpoch: 1_582_934_400 - 3 * 3600 + chance.below(7200))
    }

    /// The next records.
    mutating func records(_ count: Int) -> [CapturedRecord] { (0..<count).map { _ in record() } }

    private mutating func record() -> CapturedRecord {
        time = time + chance.pick([0, 0, 1, 30, 300, 3600, 20_000])
        var attributes: [String: String] = [:]
        for (key, values) in Self.values where chance.happens(75) { attributes[key] = chance.pick(values) }
        return CapturedRecord(
            device: chance.pick(present), time: time.description, seconds: time.secondsSinceEpoch, flags: flags(),
            attributes: attributes, verdict: chance.happens(50) ? chance.happens(60) : nil)
    }

    private mutating func flags() -> [String] {
        var flags = chance.happens(30) ? [] : chance.some(of: common, 12)
        if chance.happens(15) { flags.append(chance.pick(Self.builtIn)) }
        if chance.happens(4) { flags.append(chance.pick(["did-ban", "did-unban", "new-did", "risky-device"])) }
        if flags.contains("did-unban"), chance.happens(80) { flags.removeAll { $0 == "did-unban" } }
        let distinct = Set(flags).sorted()
        return chance.shuffled(distinct)
    }
}

/// A record of a capture, as far as a test knows it.
struct CapturedRecord {
    let device: String
    /// RFC 3339, in UTC.
    let time: String
    let seconds: Int
    let flags: [String]
    var attributes: [String: String]
    /// True if the service passed it; `nil` if the capture does not say.
    let verdict: Bool?

    /// The system by the rules of metrics: `and`, `ios` or `unknown`.
    var system: String {
        let device = attributes["device"] ?? ""
        return device.hasPrefix("Android") ? "and" : device.hasPrefix("iOS") ? "ios" : "unknown"
    }

    /// The app and the app in its version, as metrics name them.
    var apps: (app: String?, version: String?) {
        guard let id = attributes["appid"] else { return (nil, nil) }
        let app = "\(system)-\(id)"
        return (app, attributes["app-version"].map { "\(app)-\($0)" })
    }

    /// The record as a line of JSON.
    var line: String {
        var members = ["time": time, "device-id": device, "public-flags": flags.joined(separator: ",")]
        members.merge(attributes) { $1 }
        if let verdict { members["rejection-flags"] = verdict ? "" : "rooted" }
        let parts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
        return "{\(parts.joined(separator: ","))}\n"
    }
}
