import PolicyEngine
import Testing

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
        #expect(try Self.devices(Self.groups, seed: 5) == Self.devices(Self.groups, seed: 5))
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
        #expect(addresses.count { $0.hasPrefix("fd") } == 2000 - block.count - single)
        #expect(!addresses.contains { $0.contains("/") })
    }

    @Test func otherGroupsChangeNoDraw() throws {
        let others = "{count: 50, flag-rates: {rooted: 50%}, attributes: {ip: 10.0.0.0/8}}"
        let before = Self.groups.replacing("devices:\n", with: "devices:\n  early: \(others)\n")
        let after = Self.groups + "\n  late: \(others)"
        #expect(try Self.devices(before) == Self.devices(Self.groups))
        #expect(try Self.devices(after) == Self.devices(Self.groups))
    }

    @Test func moreDevicesAndMoreRatesChangeNoDrawOfTheOthers() throws {
        let more = Self.groups.replacing("count: 2000", with: "count: 2100")
        #expect(try Array(Self.devices(more).prefix(2000)) == Self.devices(Self.groups))
        let rates = Self.groups.replacing("{rooted: 2%, ", with: "{emulator: 0%, rooted: 2%, ")
        #expect(try Self.devices(rates) == Self.devices(Self.groups))
    }

    @Test func flagRatesAreKeptOnTheWhole() throws {
        let devices = try Self.devices(Self.groups)
        let catalogue = FlagCatalogue()
        func count(_ name: String) -> Int {
            devices.count { device in catalogue.flag(named: name).map(device.flags.contains) == true }
        }
        #expect(count("debug") == 2000)
        #expect(count("frida") == 2000)
        #expect(count("cloned") == 0)
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
        #expect(Set(versions) == ["new", "old"])
        // 1600 ± five standard deviations of 17.9.
        #expect(1511...1689 ~= versions.count { $0 == "new" })
    }

    @Test func idsAreValidAndDifferent() throws {
        let ids = try Self.devices(Self.groups).map(\.id)
        #expect(Set(ids).count == 2000)
        // Drawn IDs are canonical base64: the last digit carries two bits of the last byte.
        #expect(ids.allSatisfy { DeviceID($0) != nil && "AQgw".contains($0.dropLast(2).last ?? "?") })
    }

    @Test func aGivenIDIsTheID() throws {
        let text = "scenario: s\ndevices: {stock: {id: ExampleApproovTokenDID==}}"
        #expect(try Self.devices(text).map(\.id) == ["ExampleApproovTokenDID=="])
    }

    @Test func unregisteredDevicesSaySo() throws {
        let text = "scenario: s\ndevices: {stock: {registered: false}}"
        let scenario = try ScenarioText.load(text + Self.end)
        var (symbols, hardware) = (SymbolTable(catalogue: FlagCatalogue()), PhysicalDevices())
        let installs = Population(scenario, seed: 1).installs(ofGroup: 0, on: &hardware, symbols: &symbols)
        #expect(installs.map(\.evidence.isRegistered) == [false])
    }

    struct System: LabelledRow {
        let fields, system: String
    }

    static let systems = [
        System(fields: "os: android", system: "and"), System(fields: "os: ios", system: "ios"),
        System(fields: "attributes: {device: 'Android 8.1.0, Nexus 5X'}", system: "and"),
        System(fields: "attributes: {device: 'iOS 13.5, iPhone'}", system: "ios"),
        System(fields: "os: ios, attributes: {device: 'Android 8.1.0'}", system: "ios"),
        System(fields: "attributes: {device: 'android 8'}", system: "unknown"), System(fields: "", system: "unknown"),
    ]

    @Test(arguments: systems) func theSystemIsTheGroupsOrNamedByTheDevice(_ row: System) throws {
        let scenario = try ScenarioText.load("scenario: s\ndevices: {stock: {\(row.fields)}}" + Self.end)
        var symbols = SymbolTable(catalogue: FlagCatalogue())
        var hardware = PhysicalDevices()
        let installs = Population(scenario, seed: 1).installs(ofGroup: 0, on: &hardware, symbols: &symbols)
        #expect(installs.map(\.evidence.system.metricName) == [row.system])
    }
}
