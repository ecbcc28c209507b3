import PolicyEngine
import Testing

@testable import Reports

/// The names that stand for devices in comparisons.
@Suite struct DeviceNamesTests {
    private static let key = PseudonymKey(from: Array("a key of a test".utf8))
    private static let devices = (0..<5_000).map { DeviceID(first: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, second: 7) }

    @Test("several names are those of each device, sorted, whatever the number of threads", arguments: [1, 2, 7])
    func sorted(jobs: Int) {
        let names = DeviceNames(Self.key)
        let expected = Self.devices.map { names.name(of: $0) }.sorted()
        #expect(names.sorted(of: Self.devices, jobs: jobs).map(\.text) == expected)
    }

    @Test("who asks again about some of the devices gets the same names") func kept() {
        let names = DeviceNames(Self.key)
        _ = names.sorted(of: Array(Self.devices[1_000..<3_000]), jobs: 2)
        let again = names.sorted(of: Array(Self.devices[..<2_000]), jobs: 2)
        #expect(again == DeviceNames(Self.key).sorted(of: Array(Self.devices[..<2_000]), jobs: 1))
        #expect(Set(again).count == 2_000)
        #expect(names.sorted(of: [], jobs: 2).isEmpty)
    }
}
