import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// Records with names in place of numbers.
@Suite struct CaptureRecordsTests {
    private static func read(
        devices: DeviceSelection = .all, _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> KeptRecords {
        let lines = [("11", SampleDevice.bob, "odd"), ("10", SampleDevice.iphone, "rooted,strange")].map {
            #"{"time":"2020-07-23T\#($0):00:00Z","device-id":"\#($1)","flags":"\#($2)"}"# + "\n"
        }
        let folder = try TemporaryFolder(["day.jsonl": lines.joined()])
        var request = ReplayRequest(captures: [folder.path("day.jsonl")], account: Account())
        edit(&request)
        return CaptureRecords(request, keys: [], devices: devices).read()
    }

    @Test func sortedRecordsAreInTheOrderOfTime() throws {
        let kept = try Self.read { $0.sorts = true }
        expect(kept.records.map(\.index), equals: [0, 1])
        expect(kept.records.map(\.passed), equals: [false, true])
        #expect(try Self.read().records.isEmpty)
    }

    @Test func flagsOfOtherDevicesKeepTheirOrder() throws {
        let device = try #require(DeviceID(SampleDevice.iphone))
        let kept = try Self.read(devices: .devices([device])) { $0.sorts = true }
        expect(kept.records.map(\.flags), equals: [["rooted", "strange"]])
        expect(kept.catalogue.flags.suffix(2).map(\.name), equals: ["odd", "strange"])
    }
}
