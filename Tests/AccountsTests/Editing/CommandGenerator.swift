@testable import Documents
@testable import TestSupport

/// Management commands by chance, valid ones and such as are refused.
struct CommandGenerator {
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed, path: "commands")
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(chance.next() % UInt64(elements.count))]
    }

    /// The next command.
    mutating func next() -> String {
        switch pick(["policy", "filter", "filter", "device", "device", "service", "domain"]) {
        case "policy": policy()
        case "filter": filter()
        case "device": device()
        case "service": service()
        default: domain()
        }
    }

    private mutating func policy() -> String {
        pick([
            "policy -set default,\(pick(["default", "strict", "allow-root", "allow-xposed"])),\(pick(["default", "risk"]))",
            "policy -addRejectFlag \(flag())", "policy -addRejectFlag \(flag())", "policy -removeRejectFlag \(flag())",
            "policy -setARC \(pick(["on", "off"]))", "policy -setAudience \(pick(["on", "off"]))",
            "policy -setIssuer \(pick(["on", "off"]))", "policy -setIPTracking \(pick(["none", "token", "full"]))",
            "policy -setPinningTestURL https://\(pick(["a", "b"])).com:443", "policy -removePinningTestURL",
            "filter -setSamplingPercentage \(pick(["0", "0.1", "12.5"]))",
        ])
    }

    private mutating func flag() -> String { pick(["automated", "debug", "rooted", "frida", "automated-launch"]) }

    private mutating func filter() -> String {
        let name = "f\(pick(Array(0...6)))"
        let option = pick(["", " -reject", " -ban -risky", " -newDIDOnly", " -captureDeviceInfo"])
        return pick([
            "filter -add \(name) -key \(pick(["ip", "device"])) -matchValue '\(value())'\(option)",
            "filter -add \(name) -key device -matchValue '\(pick(["^1\\.2", "Android 7", "a|b", "[\"]"]))' -regex\(option)",
            "filter -add \(name) -conjunction \(pick(["f0", "f0+f1", "f1+f0", "f2+f0"]))\(option)",
            "filter -remove \(name)",
        ])
    }

    private mutating func value() -> String {
        pick(["1.2.3.4", "a: b", "x # y", " z", "", "{", "\"", "ä🚗", "-", "\\"])
    }

    private mutating func device() -> String {
        let id = pick(AccountFileGenerator.devices)
        return pick([
            "device -add \(id) -policy default,\(pick(["whitelist", "blacklist"])),all",
            "device -add \(id) -label '\(pick(["L1", "a: b", "it-s # x", "ü"]))'", "device -add \(id)",
            "device -add \(id) -pinMode \(pick(["pin", "unpin", "blockAll"]))",
            "device -add \(id) -banMode \(pick(["ban", "unban"])) -probeURL https://a.b:443", "device -remove \(id)",
            "device -removeMatching \(pick(["Me", "L1", "admin"]))",
        ])
    }

    private mutating func service() -> String {
        pick(
            registrations() + [
                "devicecheck -addAuthKey AuthKey_\(pick(["A", "B"])).p8 -teamID \(pick(["T", "U"]))",
                "devicecheck -addAuthKey AuthKey_C.p8 -bits \(pick(["none", "bit0", "both"])) -expiry \(pick(["12", "3"]))",
                "devicecheck -remove", "safetynet -set \(pick(["X", "'Y: Z'"]))", "safetynet -remove",
                "appsigncert -add \(pick(AccountFileGenerator.certificates))",
                "appsigncert -remove \(pick(AccountFileGenerator.certificates))",
            ])
    }

    private mutating func registrations() -> [String] {
        let version = pick(["1", "'2.0[3]'"])
        let options = pick(["", " -bundle", " -sdk 'Android(2.6.0)' -versionName 'a: b'", " -unversioned"])
        return [
            "registration -add a.aab -signature S= -appID a -appVersion \(version) -libraryID 1\(options)",
            "registration -remove S=a-1-1", "registration -remove 'S=a-a: b-1'", "registration -remove 'S=a-*-1'",
        ]
    }

    private mutating func domain() -> String {
        let name = "d\(pick(Array(0...5))).com"
        return pick([
            "api -add \(name)", "api -add \(name) -pinOnly", "api -add \(name) -keySetKID k -port 8443",
            "pin -api \(name) -add key:\(pick(["A", "B", "C"]))", "pin -api \(name) -remove key:\(pick(["A", "B"]))",
            "api -add \(name) -jwe -pinType none", "api -remove \(name)",
        ])
    }
}
