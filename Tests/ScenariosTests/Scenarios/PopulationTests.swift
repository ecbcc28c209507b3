import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct PopulationTests {
    private static let groups = """
        scenario: s
        devices:
          stock:
            count: 2000
            flags: [debug]
            flag-rates: {rooted: 2%, xposed: 50%, frida: 100%, cloned: 0%}
            attributes: {ip: 10.0.0.0/8, app-version: {choose: {new: 80%, old: 20%, never: 0%}}}
        """
    private static let end = "\nexpect: {metrics: {pass: 0}}\n"

    /// A device as far as it was drawn.
    struct Device: Hashable {
        let id, ip, version: String
        let flags: FlagSet
    }

    private static func devices(_ text: String, seed: UInt64 = 1) throws -> [Device] {
        let scenario = try ScenarioText.load(text + end)
        var symbols = SymbolTable(catalogue: FlagCatalogue())
        let index = scenario.groups.firstIndex { $0.name == "stock" } ?? 0
        var hardware = PhysicalDevices()
        let installs = Population(scenario, seed: seed).installs(ofGroup: index, on: &hardware, symbols: &symbols)
        let (ip, version) = (symbols.attributes.key(named: "ip"), symbols.attributes.key(named: "app-version"))
        return installs.map { install in
            Device(
                id: symbols.devices[install.attestation.device].description,
                ip: symbols.attributes.text(of: install.attestation.value(of: ip), for: ip),
                version: symbols.attributes.text(of: install.attestation.value(of: version), for: version),
                flags: install.attestation.flags)
        }
    }

    @Test func oneSeedGivesOnePopulation() throws {
        try expect(Self.devices(Self.groups, seed: 5), equals: Self.devices(Self.groups, seed: 5))
    }

    @Test func anotherSeedGivesAnotherPopulation() throws {
        let (first, second) = (try Self.devices(Self.groups, seed: 5), try Self.devices(Self.groups, seed: 6))
        #expect(Set(first.map(\.id)).isDisjoint(with: second.map(\.id)))
        #expect(first.map(\.ip) != second.map(\.ip))
        #expect(first.map(\.version) != second.map(\.version))
        #expect(first.map(\.flags) != second.map(\.flags))
    }

    @Test func aBlockAmongChoicesIsDrawnFrom() throws {
        let text = Self.groups.replacing(
            "ip: 10.0.0.0/8", with: "ip: {choose: {10.0.0.0/8: 50%, 1.2.3.4: 25%, 'fd00::/8': 25%}}")
        let addresses = try Self.devices(text).map(\.ip)
        let (block, single) = (addresses.filter { $0.hasPrefix("10.") }, addresses.count { $0 == "1.2.3.4" })
        #expect(900...1100 ~= block.count)
        #expect(Set(block).count > 800)
        #expect(400...600 ~= single)
        expect(addresses.count { $0.hasPrefix("fd") }, equals: 2000 - block.count - single)
        #expect(!addresses.contains { $0.contains("/") })
    }

    @Test func otherGroupsChangeNoDraw() throws {
        let others = "{count: 50, flag-rates: {rooted: 50%}, attributes: {ip: 10.0.0.0/8}}"
        let before = Self.groups.replacing("devices:\n", with: "devices:\n  early: \(others)\n")
        let after = Self.groups + "\n  late: \(others)"
        try expect(Self.devices(before), equals: Self.devices(Self.groups))
        try expect(Self.devices(after), equals: Self.devices(Self.groups))
    }

    @Test func moreDevicesAndMoreRatesChangeNoDrawOfTheOthers() throws {
        let more = Self.groups.replacing("count: 2000", with: "count: 2100")
        try expect(Array(Self.devices(more).prefix(2000)), equals: Self.devices(Self.groups))
        let rates = Self.groups.replacing("{rooted: 2%, ", with: "{emulator: 0%, rooted: 2%, ")
        try expect(Self.devices(rates), equals: Self.devices(Self.groups))
    }

    @Test func flagRatesAreKeptOnTheWhole() throws {
        let devices = try Self.devices(Self.groups)
        let catalogue = FlagCatalogue()
        func count(_ name: String) -> Int {
            devices.count { device in catalogue.flag(named: name).map(device.flags.contains) == true }
        }
        expect(count("debug"), equals: 2000)
        expect(count("frida"), equals: 2000)
        expect(count("cloned"), equals: 0)
        // Five standard deviations: 40 ± 31.3 and 1000 ± 111.8.
        #expect(9...71 ~= count("rooted"))
        #expect(889...1111 ~= count("xposed"))
    }

    @Test func flagsAreDrawnIndependently() throws {
        let text = "scenario: s\ndevices: {stock: {count: 4000, flag-rates: {rooted: 50%, xposed: 50%}}}"
        let both = try Self.devices(text).count { $0.flags.count == 2 }
        // A quarter of 4000; five standard deviations are 136.9.
        #expect(864...1136 ~= both)
    }

    @Test func choicesAreKeptOnTheWhole() throws {
        let versions = try Self.devices(Self.groups).map(\.version)
        expect(Set(versions), equals: ["new", "old"])
        // 1600 ± five standard deviations of 17.9.
        #expect(1511...1689 ~= versions.count { $0 == "new" })
    }

    @Test func idsAreValidAndDifferent() throws {
        let ids = try Self.devices(Self.groups).map(\.id)
        expect(Set(ids).count, equals: 2000)
        // Drawn IDs are canonical base64: the last digit carries two bits of the last byte.
        #expect(ids.allSatisfy { DeviceID($0) != nil && "AQgw".contains($0.dropLast(2).last ?? "?") })
    }
}

/// Attributes that are accepted (formats: Captures, 1); `Tests/Files/scenarios/attributes.yaml` has those that are not.
@Suite struct AttributeFormTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        /// As YAML writes it between double quotes, where that differs.
        let written: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, written: String? = nil) { (self.text, self.written) = (text, written ?? text) }
    }

    static let goodKeys = [
        Row("ip"), Row("a:b"), Row(":a"), Row("two words"), Row("a "), Row("---"), Row("---a"), Row("getting"),
        Row("Captured"), Row("Flags"), Row("captured-by"), Row("ключ"), Row("🚗"), Row("{a}"), Row("#"), Row("-"),
        Row("a\tb", written: #"a\tb"#), Row("\ta", written: #"\ta"#), Row("a\u{2028}b", written: #"a\Lb"#),
        Row("a\u{85}b", written: #"a\Nb"#), Row("null"), Row("device-id2"),
    ]

    static let goodValues = [
        Row(""), Row(" "), Row("  a "), Row(":"), Row(": "), Row("a: b"), Row("--- x ---"), Row("getting x"),
        Row("captured: 2020"), Row("a\tb", written: #"a\tb"#), Row("a\n b", written: #"a\n b"#),
        Row("\n b", written: #"\n b"#), Row("a\n  --- x\n :", written: #"a\n  --- x\n :"#),
        Row("a\n \tb", written: #"a\n \tb"#), Row("a\u{2028}b", written: #"a\Lb"#), Row("a\u{85}b", written: #"a\Nb"#),
        Row("a\u{B}b", written: #"a\vb"#), Row("日本 🚗"), Row("e\u{301}"),
    ]

    // Attributes that are accepted can be read back from what is printed.
    @Test("formats: what is taken can be read back") func readBack() throws {
        let keys = Self.goodKeys.map { "\"\($0.written)\": x" }
        let values = Self.goodValues.enumerated().map { "v\($0): \"\($1.written)\"" }
        let output = try RunOutput(
            """
            devices: {bob: {id: \(SampleDevice.bob), attributes: {\((keys + values).joined(separator: ", "))}}}
            steps: [{at: 0s, fetch: bob}, {at: 0s, approov: device -getInfo new-did}]
            expect: {metrics: {pass: 1}}
            """)
        var expected = [Array("device-id".utf8): Array(SampleDevice.bob.utf8)]
        for row in Self.goodKeys { expected[Array(row.text.utf8)] = Array("x".utf8) }
        for (number, row) in Self.goodValues.enumerated() { expected[Array("v\(number)".utf8)] = Array(row.text.utf8) }
        let records = try ReadRecord.read(output.printed, keys: Set(expected.keys))
        expect(records.map(\.attributes), equals: [expected])
        expect(expected.count, equals: 1 + Self.goodKeys.count + Self.goodValues.count)
    }
}

@Suite struct AddressBlockTests {
    private static let readings: [String: TextCase.Reading] = [
        "a block of addresses": { AddressBlock(try TextCase.text(of: $0)) == nil ? "none" : "block" },
        "the system is the group's, or named by the device": { line in
            let group = try TextCase.text(of: line)
            let scenario = try ScenarioText.load(
                "scenario: s\ndevices: {stock: {\(group)}}\nexpect: {metrics: {pass: 0}}\n")
            var (symbols, hardware) = (SymbolTable(catalogue: FlagCatalogue()), PhysicalDevices())
            let installs = Population(scenario, seed: 1).installs(ofGroup: 0, on: &hardware, symbols: &symbols)
            return installs.map(\.evidence.system.metricName).joined(separator: " ")
        },
    ]

    @Test(arguments: CaseFile.all(in: "Tables/population", ending: "groups.txt")) func isRead(_ file: CaseFile) throws {
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
    }

    /// Blocks, and the text that every address of each starts with.
    static let blocks: [Case<String, String>] = [
        Case("10.0.0.0/8", gives: "10."), Case("192.168.7.0/24", gives: "192.168.7."),
        Case("1.2.3.4/32", gives: "1.2.3.4"), Case("2001:db8::/32", gives: "2001:db8:"),
        Case("2001:db8:1:2::/64", gives: "2001:db8:1:2:"), Case("::1/128", gives: "::1"),
    ]

    @Test(arguments: blocks) func drawsAddressesOfTheBlock(_ row: Case<String, String>) throws {
        let block = try #require(AddressBlock(row.input))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let address = block.draw(&generator)
            #expect(address.hasPrefix(row.expected))
        }
    }

    @Test func aPrefixInsideAByteIsKept() throws {
        let block = try #require(AddressBlock("10.128.0.0/9"))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let bytes = block.draw(&generator).split(separator: ".").compactMap { Int($0) }
            expect(bytes.count, equals: 4)
            #expect(bytes[0] == 10 && 128...255 ~= bytes[1])
        }
    }

    @Test func everyAddressOfASmallBlockIsDrawn() throws {
        let block = try #require(AddressBlock("10.0.0.4/30"))
        var generator = SeededGenerator(seed: 1)
        let drawn = Set((0..<200).map { _ in block.draw(&generator) })
        expect(drawn, equals: ["10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.0.7"])
    }
}
