import PolicyEngine

@testable import TestSupport

/// Draws a capture whose records are usual mostly, and now and then anything else that a capture may hold.
struct DisorderlyCapture {
    private var chance: Chance
    private let isText: Bool
    // The frequencies of spoilt records, and of keys in another order.
    private let (spoiling, shuffling): (Int, Int)
    private let hasCarriageReturns: Bool
    private var keys: [String]
    private var seconds: Int

    private static let devices = (1...12).map { DeviceID(first: UInt64($0) << 59, second: 1).description }
    private static let values: [String: [String]] = [
        "ip": ["1.2.3.4", "10.0.0.7", "11.2.3.4", "", "10.9.8.7"],
        "device": ["Android 8.1.0, Nexus", "iOS, 12.1, iPhone7,2", "Fuchsia", "Café Münch"],
        "appid": ["com.a", "com.b", "com.\u{301}c"], "app-version": ["1.0", "2.0", ""],
        "user-property": ["gold", "Gold", "a: b", "{\",\"}", "x\",\"y", "\\", "tab\there", "\",\""],
        "rejection-flags": ["", "rooted", "rooted,frida", "filter:ip", "bad list", "rooted,"],
        "note": ["a", "a:b", ": ", " leads", "--- no header", "z\":\"z", "\u{1F697}"],
    ]
    private static let flagLists = [
        "", "rooted", "rooted,frida", "new-did", "xposed,rooted", "zz-unknown", "aa-unknown,rooted", "did-unban", "a;b",
        "bad list", ",", "allow-debug",
    ]

    init(seed: UInt64) {
        chance = Chance(seed: seed)
        isText = chance.happens(50)
        spoiling = chance.pick([0, 2, 10, 60])
        shuffling = chance.pick([0, 2, 10, 100])
        hasCarriageReturns = chance.happens(10)
        keys = chance.shuffled(["public-flags", "device-id", "time"] + Self.values.keys.sorted())
        seconds = 1_582_934_400 + chance.below(7200)
    }

    /// The bytes of that number of records.
    mutating func bytes(_ count: Int) -> [UInt8] {
        var text = (0..<count).map { _ in isText ? information() : line() }.joined()
        if hasCarriageReturns { text = text.replacing("\n", with: "\r\n") }
        var bytes = Array(text.utf8)
        if chance.happens(10) { bytes.removeLast(min(bytes.count, 1 + chance.below(80))) }
        if chance.happens(5), !bytes.isEmpty { bytes[chance.below(bytes.count)] = UInt8(chance.below(256)) }
        return bytes
    }

    /// The bytes of that number of records in the order of time: there are none of other time zones, which would not be.
    mutating func bytesInOrder(_ count: Int) -> [UInt8] {
        ["BST", "+01:00"].reduce(bytes(count)) { bytes, zone in
            bytes.replacing(Array(" \(zone) ---".utf8), with: Array(" UTC ---".utf8))
        }
    }

    private mutating func members() -> [(key: String, value: String)] {
        seconds += chance.pick([0, 0, 1, 30, 300, 3600])
        if chance.happens(shuffling) { keys = chance.shuffled(keys) }
        var members: [(key: String, value: String)] = []
        for key in keys where chance.happens(85) || key == "device-id" || key == "time" || key == "public-flags" {
            switch key {
            case "device-id": members.append((key, chance.pick(Self.devices)))
            case "time": members.append((key, Instant(secondsSinceEpoch: seconds).description))
            case "public-flags": members.append((key, plain(Self.flagLists, 8)))
            default: members.append((key, plain(Self.values[key] ?? [""], 3)))
            }
        }
        guard chance.happens(spoiling) else { return members }
        return spoilt(members)
    }

    // Mostly one of the values that come first.
    private mutating func plain(_ values: [String], _ usual: Int) -> String {
        chance.happens(spoiling) ? chance.pick(values) : chance.pick(Array(values.prefix(usual)))
    }

    private mutating func spoilt(_ members: [(key: String, value: String)]) -> [(key: String, value: String)] {
        var members = members
        let position = chance.below(members.count)
        switch chance.below(6) {
        case 0: members.insert(members[position], at: chance.below(members.count))
        case 1: members.remove(at: position)
        case 2: members.insert(("unknown-\(chance.below(5))", "x"), at: position)
        case 3: members.insert(("flags", "frida"), at: position)
        case 4:
            members[position].key = chance.pick([
                "Public_Flags", "", "k\"q", "long-" + String(repeating: "k", count: 40),
            ])
        default: members[position].value += chance.pick(["\"", " ", "\\", ",", "é", "\u{7F}"])
        }
        return members
    }

    private mutating func information() -> String {
        var members = members().filter { $0.key != "time" }
        let given = members.firstIndex { $0.key == "device-id" }
        let device = given.map { members[$0].value } ?? chance.pick(Self.devices)
        if let given, chance.happens(30) { members.remove(at: given) }
        let zone = chance.pick(["UTC", "UTC", "UTC", "BST", "+01:00", "XYZ"])
        let time = Instant(secondsSinceEpoch: seconds - (zone == "UTC" ? 0 : 3600)).description
        let local = Instant(secondsSinceEpoch: seconds).description
        let clock = (zone == "UTC" ? time : local).prefix(19).replacing("T", with: " ")
        var text = "--- \(device) \(clock) \(zone == "XYZ" ? "UTC" : zone) ---\n"
        if chance.happens(spoiling / 8) { text = "captured: \(clock) UTC\n" }
        for (key, value) in members {
            text += value.isEmpty && chance.happens(50) ? "\(key):\n" : "\(key): \(value)\n"
            if chance.happens(spoiling / 8) {
                text += chance.pick([" is more\n", "\n", "getting more\n", "no key\n", ":\n"])
            }
        }
        return text
    }

    private mutating func line() -> String {
        let parts = members().map { member in
            "\(quoted(member.key)):\(value(member.value))"
        }
        let (comma, colon) = chance.happens(spoiling / 8) ? (" , ", "") : (",", "")
        return "{\(parts.joined(separator: comma))\(colon)}\n" + (chance.happens(spoiling / 8) ? "\n" : "")
    }

    private mutating func value(_ value: String) -> String {
        guard chance.happens(spoiling / 6) else { return quoted(value) }
        return chance.pick(["null", "12", "true", "[\"a\",\"b\"]", "{}", "\"\\u0041\"", "\"\\n\"", "x", " \"s\""])
    }

    // Strictly, but for one time in many.
    private mutating func quoted(_ text: String) -> String {
        if chance.happens(spoiling / 10) { return "\"\(text)\"" }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
        return "\"\(escaped)\""
    }
}
