import PolicyEngine

@testable import TestSupport

/// The input of the benchmarks, in small: attestations, fetches, and an account with 25 filters that all match something.
struct BenchmarkSample {
    /// 90 attestations each, some of them malformed, in the order of time, as a capture holds them.
    let day, evening: String
    /// Fetches of some of the devices, some of them malformed.
    let fetches: String

    /// - Parameter isText: True if the captures hold device information; otherwise they hold JSON Lines.
    init(isText: Bool) {
        var draw = Drawing(isText: isText)
        day = (0..<90).map { _ in draw.record() }.joined()
        evening = (0..<90).map { _ in draw.record() }.joined()
        fetches = (0..<60).map { _ in draw.fetch() }.joined()
    }

    /// The account that `Benchmarks/peers/rules.py` writes: 12 exact filters, 10 regexes, 3 conjunctions.
    static let account = (try? Repository.text(of: "Tests/Tables/documents/benchmark-account.yaml")) ?? ""

    // Each filter but the conjunctions looks for one of the values.
    private static let values: [(key: String, values: [String])] = [
        ("ip", ["81.2.69.142", "10.1.2.3", "172.20.3.4", "172.3.3.4", "9.8.7.6"]),
        (
            "device",
            [
                "iOS, 12.1.2, iPhone7,2, en_ES", "iOS, 13.6, iPhone11,2, es_ES",
                "Android 7.0, Nexus 5X, lge, bullhead, de",
                "Android 9, SM-A4, samsung, a4, fr_FR",
            ]
        ),
        ("archid", ["x86", "arm64", "arm64-v8a", "arm64e"]),
        (
            "device-props",
            [
                "{'Model':'Nexus 5X','Fingerprint':'google/bullhead/bullhead:8.1.0/OPM6.171019.030.E1/4805388:"
                    + "user/release-keys'}", "{'Model':'SM-A4','Fingerprint':'9:user/release-keys'}",
                "{'Model':'sdk_gphone_x86','Fingerprint':'9:userdebug/test-keys'}",
            ]
        ),
        ("sdkid", ["4505", "4501"]), ("sdk-version", ["1.9.0", "2.5.0"]), ("app-name", ["Café Münch", "Bank One"]),
        ("app-version", ["2.0.1", "1.9.7", "4.2.1", "4.0.0-rc1"]),
        ("appid", ["com.example.bank.ios", "com.example.cafe.android"]),
        ("app-sig", ["Zm9yZ2VkLXNpZ25hdHVyZS1vZi10aGUtYmVuY2htYXI=", "c291bmQ=", "b3RoZXI="]),
        ("attest-reason", ["no attestation", "safetynet timeout after 9 ms retry=4", "cached result reused age=7"]),
    ]
    // Five are not in the catalogue; which comes first, and in which part, is chance.
    private static let flags = [
        "rooted", "frida", "root-risk", "automated", "allow-debug", "first-fetch", "bad-app-id-sig", "zz-late",
        "aa-late",
    ]

    private struct Drawing {
        let isText: Bool
        private var chance = Chance(seed: 20_200_720)
        private var seconds = 1_595_285_400

        init(isText: Bool) { self.isText = isText }

        // One device has a third of all records.
        private mutating func device() -> String {
            if chance.happens(33) { return SampleDevice.iphone }
            return DeviceID(first: UInt64(1 + chance.below(90)) << 57, second: 1).description
        }

        mutating func record() -> String {
            seconds += chance.pick([0, 0, 1, 60, 1200])
            let (time, device) = (Instant(secondsSinceEpoch: seconds).description, device())
            var members = [
                ("device-id", device),
                ("public-flags", chance.some(of: BenchmarkSample.flags, 12).joined(separator: ",")),
            ]
            // The service's own verdict, which is not always the account's.
            if chance.happens(50) { members.append(("rejection-flags", chance.pick(["", "rooted", "rooted,frida"]))) }
            members += BenchmarkSample.values.map { ($0.key, chance.pick($0.values)) }
            if chance.happens(2) { members.append(("ip", "1.2.3.4")) }
            guard isText else {
                return "{" + (members + [("time", time)]).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}\n"
            }
            let clock = time.prefix(19).replacing("T", with: " ")
            return "--- \(device) \(clock) UTC ---\n" + members.map { "\($0): \($1)\n" }.joined()
        }

        mutating func fetch() -> String {
            if chance.happens(5) { return "no device\n" }
            let time = Instant(secondsSinceEpoch: 1_595_285_400 + chance.below(80_000)).description.prefix(19)
            return device() + (chance.happens(50) ? "\n" : " \(time.replacing("T", with: " ")) UTC\n")
        }
    }
}
