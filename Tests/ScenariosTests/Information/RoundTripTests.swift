import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Records that the service prints of devices are read back as they were: by the readers of captures, and by a replay that
/// gives the same verdicts (formats: Captures; manual, Analyzing Captured Streams).
@Suite struct RoundTripTests {
    /// Devices that attest one after another, and what is printed of them.
    struct Population {
        let devices: [DrawnDevice]
        let account: String
        let query: String

        init(seed: Int, count: Int, account: String, query: String) {
            var generator = SeededGenerator(seed: UInt64(seed), path: "devices", query)
            devices = (0..<count).map { _ in DrawnDevice(&generator) }
            (self.account, self.query) = (account, query)
        }

        /// Runs a scenario in which each device attests a minute and a second after the one before it.
        ///
        /// - Parameter queries: What is asked at the end.
        func run(_ queries: [String]? = nil) throws -> RunOutput {
            let groups = devices.indices.map { "  g\($0): \(devices[$0].group)\n" }.joined()
            let fetches = devices.indices.map { "  - {at: \(61 * $0)s, fetch: g\($0)}\n" }.joined()
            let asked = (queries ?? [query]).map { "  - {at: 1d, approov: \($0)}\n" }.joined()
            return try RunOutput(
                "scenario: s\nstart: 2020-07-23T23:30:00Z\naccount:\n\(account)devices:\n\(groups)steps:\n\(fetches)\(asked)"
                    + "expect: {metrics: {billing: {at-least: 0}}, vacuous: allowed}\n")
        }

        /// The expected records: nothing is derived here but that an unban ends a ban (R6.4).
        func expected(_ decisions: [WrittenDecision], tellingVerdicts: Bool) -> [ReadRecord] {
            zip(devices, decisions).map { device, decision in
                let flags = device.flags.filter { $0 != "did-ban" || !device.flags.contains("did-unban") }
                let isBanned = decision.flags.contains("did-ban") && !flags.contains("did-ban")
                let all = isBanned ? flags + ["did-ban"] : flags
                return ReadRecord(
                    device: device.id, time: decision.time,
                    flags: FlagCatalogue().declaredNames.filter(all.contains),
                    passed: tellingVerdicts ? decision.verdict == "pass" : nil, attributes: device.sent)
            }
        }

        var keys: Set<[UInt8]> { Set(devices.flatMap(\.sent.keys)) }
    }

    private static let plain = "  policy: default,allow-root,default\n"

    // Everything that a verdict can depend on.
    private static let everything = """
          policy: default,allow-xposed,default
          reject-flags: {add: [automated], remove: [debug]}
          rules: [alt]
          sampling-percentage: 30
          filters:
            - {name: colon, key: app-name, regex: ":", reject: true}
            - {name: blank, key: device-props, match: "", risky: true}
            - {name: several, key: attest-reason, regex: '\\n ', ban: true}
            - {name: odd, key: ключ, regex: '\\x{1F697}', exec-filtered-sec-policy: true}
            - {name: new, key: flags-all, regex: "xposed|frida", new-did-only: true, reject: true}
            - {name: both, conjunction: [colon, blank], reject: true}
            - {name: captures, key: device-id, regex: "==$", capture-device-info: true}
          devices:
            - {id: ++FilteredSecPolicy++w==, policy: "alt,blacklist,default"}

        """

    @Test("Analyzing New Devices: `-getInfo new-did` is read back", arguments: 0..<6) func newDevices(seed: Int) throws
    {
        let population = Population(seed: seed, count: 30, account: Self.plain, query: "device -getInfo new-did")
        let output = try population.run()
        let records = try ReadRecord.read(output.printed, keys: population.keys)
        expect(records, equals: population.expected(output.decisions, tellingVerdicts: true))
        expect(output.decisions.map(\.device), equals: population.devices.map(\.id))
    }

    @Test("Analyzing Filtered Devices: `-getInfo filtered` is read back", arguments: 0..<6)
    func filteredDevices(seed: Int) throws {
        let population = Population(seed: seed, count: 30, account: Self.everything, query: "device -getInfo filtered")
        let output = try population.run()
        let records = try ReadRecord.read(output.printed, keys: population.keys)
        expect(records, equals: population.expected(output.decisions, tellingVerdicts: false))
        let filters = output.lines.filter { $0.hasPrefix("matched-filters: ") }.map { $0.dropFirst(17) }
        expect(filters, equals: output.decisions.map { $0.filters.joined(separator: ",")[...] })
    }

    @Test("Getting Specific Device Information: `-getInfo` of a device is read back", arguments: 0..<6)
    func singleDevices(seed: Int) throws {
        let drawn = Population(seed: seed, count: 24, account: "", query: "")
        let policies = ["default,whitelist,all", "default,strict,default", "default,blacklist,default"]
        let entries = drawn.devices.enumerated().map { number, device in
            let policy = number % 2 == 0 ? ", policy: \"\(policies[number / 2 % 3])\"" : ""
            return "    - {id: \(device.id)\(policy)}\n"
        }
        let account = Self.plain + "  devices:\n" + entries.joined()
        let population = Population(seed: seed, count: 24, account: account, query: "")
        let output = try population.run(population.devices.map { "device -getInfo \($0.id)" })
        let records = try ReadRecord.read(output.printed, keys: population.keys)
        expect(records, equals: population.expected(output.decisions, tellingVerdicts: true))
        try Self.expectSameVerdicts(output, account: account)
    }

    @Test("formats: a replay comes to the verdicts that `rejection-flags` give", arguments: 0..<6)
    func verdicts(seed: Int) throws {
        for account in [Self.plain, Self.everything] {
            let population = Population(seed: seed, count: 50, account: account, query: "device -getInfo new-did")
            try Self.expectSameVerdicts(try population.run(), account: account)
        }
    }

    private static func expectSameVerdicts(_ output: RunOutput, account: String) throws {
        let replayed = try ReplayBench.replay([output.printed], account: try AccountText.account(account))
        let count = output.decisions.count
        // One of the odd keys that are drawn looks like a known one.
        #expect(replayed.messages.allSatisfy { $0.contains("the unknown key `Captured`") })
        expect(
            replayed.summary.figures?.reproduced,
            equals: Figures.Reproduction { ($0.compared, $0.agreed) = (count, count) })
        let lines = try #require(replayed.decisions).joined(separator: "\n")
        // Not the verdicts alone: everything that is decided, and why.
        try expect(WrittenDecision.read(Array(lines.utf8)), equals: output.decisions)
        #expect(output.decisions.contains { $0.verdict == "pass" })
        #expect(output.decisions.contains { $0.verdict == "fail" })
    }

    @Test("Observing All Token Fetch Devices: `-getFetches` is read back", arguments: 0..<4, [true, false])
    func fetches(seed: Int, isTimed: Bool) throws {
        let query = "device -getFetches \(isTimed ? "timed" : "untimed")"
        let output = try Population(seed: seed, count: 40, account: Self.plain, query: query).run()
        let folder = try TemporaryFolder()
        let file = try CaptureFile(path: try folder.write(output.printed, to: "fetches"), format: nil)
        var (reader, read) = (try FetchReader(file, zones: TimeZones()), [String]())
        while let (line, content) = try reader.next() {
            guard case .fetch(let device, let time) = content else {
                Issue.record("line \(line) is malformed")
                continue
            }
            read.append("\(line) \(device) \(time.map { "\($0)" } ?? "")")
        }
        let expected = output.decisions.enumerated().map { number, decision in
            "\(number + 1) \(decision.device) \(isTimed ? decision.time : "")"
        }
        expect(read, equals: expected)
    }

    @Test("formats: printed fetches weigh printed devices") func fetchesWeigh() throws {
        let population = Population(seed: 1, count: 40, account: Self.plain, query: "device -getInfo new-did")
        let output = try population.run()
        let fetches = try population.run(["device -getFetches timed"])
        let replayed = try ReplayBench.replay(
            [output.printed], account: try AccountText.account(Self.plain),
            fetches: String(decoding: fetches.printed, as: UTF8.self))
        let passed = output.decisions.filter { $0.verdict == "pass" }.count
        expect(
            replayed.summary.fetches?.weights,
            equals: FetchFigures.Weights { ($0.passed, $0.failed, $0.unknown) = (passed, 40 - passed, 0) })
    }

    // The drawn devices must cover the odd cases.
    @Test func drawnDevicesAreOdd() {
        let devices = Population(seed: 0, count: 200, account: "", query: "").devices
        let values = devices.flatMap(\.attributes).map(\.value)
        #expect(values.contains(""))
        #expect(values.contains { $0.hasPrefix(" ") })
        #expect(values.contains { $0.hasSuffix(" ") })
        #expect(values.contains { $0.contains(": ") })
        #expect(values.contains { $0.unicodeScalars.filter { $0 == "\n" }.count == 3 })
        #expect(values.contains { !$0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(devices.contains { $0.flags.isEmpty })
        expect(Set(devices.flatMap(\.flags)).count, equals: 35)
    }
}

/// A device with flags and attributes that are drawn, as odd as a capture can hold them.
struct DrawnDevice {
    let id: String
    let flags: [String]
    let attributes: [(key: String, value: String)]

    init(_ generator: inout SeededGenerator) {
        id = DeviceID(first: generator.next(), second: generator.next()).description
        // One in twenty; those that a service derives need not be given.
        flags = FlagCatalogue().declaredNames.filter { name in
            generator.next() % 20 == 0 && !["new-did", "risky-device"].contains(name)
        }
        var keys = Self.keys.filter { _ in generator.next() % 3 > 0 }
        for number in 0..<(generator.next() % 4) { keys.append("\(number)" + Self.word(&generator)) }
        attributes = keys.map { ($0, Self.value(&generator)) }
    }

    /// The group of a scenario that is this device alone.
    var group: String {
        let attributes = attributes.map { "\(Self.quoted($0.key)): \(Self.quoted($0.value))" }
        return "{id: \(id), flags: [\(flags.joined(separator: ", "))], "
            + "attributes: {\(attributes.joined(separator: ", "))}}"
    }

    /// The attributes of its first attestation: its own, and the reason if it has none of its own (R14.2b).
    var sent: [[UInt8]: [UInt8]] {
        bytes.merging([Array("attest-reason".utf8): Array("launch".utf8)]) { own, _ in own }
    }

    /// The keys and values as bytes, with the ID that every record carries.
    var bytes: [[UInt8]: [UInt8]] {
        var bytes = [Array("device-id".utf8): Array(id.utf8)]
        for (key, value) in attributes { bytes[Array(key.utf8)] = Array(value.utf8) }
        return bytes
    }

    // Those of the manual, and others that look like parts of a capture.
    private static let keys = [
        "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version", "appid", "app-id-sig",
        "app-sig", "attest-reason", "two words", "a:b", ":x", "::x", "ключ", "🚗", "---",
        "---x",
        "getting", "Captured", "x\ty", "end ", "#", "{}", "-",
    ]

    private static let pieces = [
        "a", "Z", "0", " ", "  ", ":", ": ", ",", "'", "\"", "\\", "#", "{", "}", "%", "é", "e\u{301}", "ß", "日本", "🚗",
        "👨‍👩‍👧", "\t", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{200B}", "\u{7F}", "\u{1}", "--- ", " ---", "getting ",
        "captured: ", "rooted", "device-id: ", "public-flags: rooted", "null", "~", "@", "`",
    ]

    private static func word(_ generator: inout SeededGenerator) -> String {
        let letters = ["a", "Z", "é", "日", "🚗", "_", ".", "/", "(", "=", "\u{301}"]
        return (0..<(generator.next() % 5)).map { _ in pick(letters, &generator) }.joined()
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<(generator.next() % 8)).map { _ in pick(pieces, &generator) }.joined()
    }

    // Empty, of one line, or of several, of which each but the first starts with a space and is not blank.
    private static func value(_ generator: inout SeededGenerator) -> String {
        var value = text(&generator)
        guard generator.next() % 4 == 0 else { return value }
        for _ in 0...(generator.next() % 3) { value += "\n " + text(&generator) + "x" + text(&generator) }
        return value
    }

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> String {
        choices[Int(generator.next() % UInt64(choices.count))]
    }

    // Text as YAML writes it, so that nothing of it has a meaning of its own.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            if scalar.isASCII, scalar.properties.isAlphabetic { return String(scalar) }
            let hex = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - hex.count) + hex
        }
        return "\"" + scalars.joined() + "\""
    }
}

/// A record of a capture, with everything by name.
struct ReadRecord: Equatable {
    let device, time: String
    /// In catalogue order.
    let flags: [String]
    /// True if the service passed the device; `nil` if the record does not say.
    let passed: Bool?
    /// The bytes of each value by the bytes of its key.
    let attributes: [[UInt8]: [UInt8]]

    /// Reads the records of a capture, all of them valid.
    ///
    /// - Parameters:
    ///   - bytes: The capture.
    ///   - keys: The attributes to read.
    static func read(_ bytes: [UInt8], keys: Set<[UInt8]>) throws -> [ReadRecord] {
        let folder = try TemporaryFolder()
        let names = keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
        let capture = try ParsedCapture(path: try folder.write(bytes, to: "capture"), attributes: names)
        return capture.entries.compactMap { entry in
            switch entry {
            case .record(let record, _): return ReadRecord(record, capture.catalogue)
            case .malformed(let problem):
                Issue.record("\(problem.line): \(problem.message)")
                return nil
            }
        }
    }

    private init(_ record: ParsedCapture.Record, _ catalogue: FlagCatalogue) {
        device = record.head.id.description
        time = record.head.time.description
        flags = catalogue.names(of: record.flags)
        passed = record.head.capturedVerdict
        attributes = Dictionary(
            uniqueKeysWithValues: record.attributes.map { (Array($0.name.utf8), Array($0.value.utf8)) })
    }

    init(device: String, time: String, flags: [String], passed: Bool?, attributes: [[UInt8]: [UInt8]]) {
        (self.device, self.time, self.flags) = (device, time, flags)
        (self.passed, self.attributes) = (passed, attributes)
    }
}
