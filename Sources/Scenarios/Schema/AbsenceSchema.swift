internal import Accounts
internal import Documents
internal import PolicyEngine

/// The conditions on parts that a scenario cannot have, since nothing in it brings them about.
enum AbsenceSchema {
    /// The conditions of a whole scenario.
    static var all: [JSONSchema] {
        removals + [unnamedTeam, unknownFilters, measurements, futureMonths, devices, names]
            + [("android", "devicecheck"), ("ios", "safetynet")].map { onlySystem($0, excludes: $1) } + [headers]
    }

    // MARK: Commands

    // A command that removes what neither the account nor a command before it has. Commands beyond a limit are not rehearsed,
    // so that nothing is said where some are repeated.
    private static var removals: [JSONSchema] {
        let kinds: [(key: AccountKey, topic: String, action: String)] = [
            (.filters, "filter", "-remove\\s"), (.devices, "device", "-remove\\s"),
            (.deviceCheck, "devicecheck", "-remove\\s*$"), (.safetyNet, "safetynet", "-remove\\s*$"),
            (.domains, "api", "-remove\\s"), (.certificates, "appsigncert", "-remove\\s"),
            (.registrations, "registration", "-remove(Matching)?\\s"),
        ]
        return kinds.map { kind in
            .condition(
                without([kind.key]).and([steps(where: .any(of: [command("-add"), .having(["every"])]).negated)]),
                then: steps(where: command("^\\s*\(kind.topic)\\s+\(kind.action)").negated))
        }
    }

    private static var unnamedTeam: JSONSchema {
        .condition(
            without([.team, .deviceCheck]).and([
                steps(where: .any(of: [command("-teamID"), .having(["every"])]).negated)
            ]),
            then: steps(where: command("^\\s*devicecheck\\s+-addAuthKey\\s[^\"'\\\\]*$").negated))
    }

    // MARK: Names

    private static var unknownFilters: JSONSchema {
        let known = JSONSchema([("propertyNames", JSONSchema.text(like: "^([a-z]+-)*filter-").negated.value)])
        let end = JSONSchema.properties([("metrics", known)])
        return .condition(
            without([.filters]).and([steps(where: command("-add").negated)]),
            then: .properties([("expect", end.and([.items(end)]))]))
    }

    // R22.1: a measurement needs a feature, which no command gives.
    private static var measurements: JSONSchema {
        let asked = JSONSchema.text(like: "^[^#]*\\?([^#]*[?&])?measurement([?&#]|$)")
        return .condition(
            without([.features]),
            then: steps(where: JSONSchema.having(["domain"]).and([.properties([("domain", asked)])]).negated))
    }

    // Groups that steps name are those of the scenario. A schema cannot compare two names; it can say that where one has a
    // last letter, some group has it.
    private static var names: JSONSchema {
        .condition(.having(["devices"]), then: JSONSchema().and(letters.map(named)))
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)

    /// For each letter, what names no group that ends with it: a name, several, or a mapping with the key `group`.
    static var definitions: [(name: String, schema: JSONSchema)] {
        letters.map { letter in
            let name = JSONSchema.text(like: "(?!^all$)^[a-z-]*\(letter)$").negated
            let group = JSONSchema.properties([("group", name.and([.items(name)]))])
            return ("names-without-\(letter)", name.and([group, .items(name.and([group]))]))
        }
    }

    private static func named(_ letter: String) -> JSONSchema {
        let naming = StepKinds.keysNamingGroups + ["as", "expect"]
        let step = JSONSchema.properties(naming.map { ($0, .reference(to: "names-without-\(letter)")) })
        let states = JSONSchema.properties([
            ("device-state", JSONSchema([("propertyNames", JSONSchema.reference(to: "names-without-\(letter)").value)]))
        ])
        let nobody = JSONSchema.properties([
            ("devices", JSONSchema([("propertyNames", JSONSchema.text(like: "^[a-z-]*\(letter)$").negated.value)]))
        ])
        let end = JSONSchema.properties([("expect", states.and([.items(states)]))])
        return .condition(nobody, then: steps(where: step).and([end]))
    }

    // MARK: Devices

    private static func onlySystem(_ system: String, excludes name: String) -> JSONSchema {
        let only = JSONSchema.having(["os"]).and([.properties([("os", .words([system]))])])
        let changed = JSONSchema.properties([("set", JSONSchema.having([name]).negated)])
        return .condition(
            JSONSchema.having(["devices"]).and([.properties([("devices", .values(only))])]),
            then: steps(where: changed))
    }

    // R19.1: where no app binds tokens to a header, no request says anything of one.
    private static var headers: JSONSchema {
        let client = JSONSchema.properties([("client", JSONSchema.having(["binding-header"]).negated)])
        let silent = JSONSchema.any(of: [.having(["data"]), .having(["header"])]).negated
        return .condition(
            JSONSchema.having(["devices"]).and([
                .properties([("devices", .values(client))]), steps(where: .properties([("set", client)])),
            ]),
            then: steps(where: silent))
    }

    // Of many groups none has as many devices as a scenario may have.
    private static var devices: JSONSchema {
        let fewer = JSONSchema.properties([("count", .integer(in: 1...ScenarioLoader.deviceLimit - 1))])
        return .condition(
            JSONSchema.having(["devices"]).and([.properties([("devices", JSONSchema([("minProperties", .number(2))]))])]
            ),
            then: .properties([("devices", .values(fewer))]))
    }

    // Bits were changed before the scenario starts.
    private static var futureMonths: JSONSchema {
        let start = Scenario(file: "").start.description.prefix(7)
        let digits = Array(start.prefix(4))
        var earlier: [String] = []
        for (index, digit) in digits.enumerated() {
            let value = digit.wholeNumberValue ?? 0
            if value > 0 { earlier.append("\(String(digits[..<index]))[0-\(value - 1)][0-9]{\(3 - index)}-[0-9]{2}") }
        }
        let months = (1...(Int(start.suffix(2)) ?? 12)).map { "\(String(digits))-\($0 < 10 ? "0" : "")\($0)" }
        let past = JSONSchema.properties([("changed", .text(matching: (earlier + months).joined(separator: "|")))])
        return .condition(
            JSONSchema.having(["start"]).negated,
            then: .properties([("devices", .values(.properties([("devicecheck", past)])))]))
    }

    // MARK: Parts

    // The account is part of the scenario, or there is none, and lacks some keys.
    private static func without(_ keys: [AccountKey]) -> JSONSchema {
        let lacking = JSONSchema.any(of: keys.map { .having([$0.rawValue]) }).negated
        return JSONSchema.having(["accounts"]).negated.and([
            .properties([("account", JSONSchema([("type", .text("object"))]).and([lacking]))])
        ])
    }

    private static func steps(where step: JSONSchema) -> JSONSchema { .properties([("steps", .items(step))]) }

    private static func command(_ pattern: String) -> JSONSchema {
        JSONSchema.having(["approov"]).and([.properties([("approov", .text(like: pattern))])])
    }
}
