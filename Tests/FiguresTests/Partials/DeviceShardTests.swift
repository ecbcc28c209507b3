import PolicyEngine
import Testing

@testable import Figures
@testable import TestSupport

/// Parts of devices, which are the same on every machine.
@Suite struct DeviceShardTests {
    struct Row: LabelledRow {
        let id: String
        /// Counted from 0, of 2, 7, 64 and 65,536; worked out by a program of its own.
        let parts: [Int]
    }

    static let rows = [
        Row(id: "w4mmGFZkpz5oPz6w6gl1Cw==", parts: [1, 4, 36, 37_501]),
        Row(id: "qZka0yfv+ExvOq3PRh6pGw==", parts: [1, 4, 41, 42_089]),
        Row(id: "h4gubfCFzJu81j/U2BJsdg==", parts: [1, 4, 43, 44_873]),
        Row(id: "ExampleApproovTokenDID==", parts: [1, 4, 37, 38_133]),
        Row(id: "AAAAAAAAAAAAAAAAAAAAAA==", parts: [0, 2, 21, 22_389]),
    ]

    @Test("the part of a device follows from its text", arguments: rows)
    func part(_ row: Row) throws {
        let id = try #require(DeviceID(row.id))
        #expect([2, 7, 64, 65_536].map { DeviceShard.offset(of: id, count: $0) } == row.parts)
        for count in [1, 2, 7, 64] {
            let parts = (1...count).filter { DeviceShard(number: $0, of: count)?.contains(id) == true }
            #expect(parts == [DeviceShard.offset(of: id, count: count) + 1])
        }
    }

    @Test(
        "a part is read from text",
        arguments: zip(
            [
                "1/1", "3/8", "65536/65536", "0/4", "5/4", "1/0", "1/65537", "1", "1/2/3", "/4", "a/4", "-1/4", "+1/4",
                " 1/4",
            ],
            ["1/1", "3/8", "65536/65536"] + Array(repeating: nil, count: 11)))
    func reading(_ text: String, expected: String?) {
        #expect(DeviceShard(text)?.description == expected)
    }
}
