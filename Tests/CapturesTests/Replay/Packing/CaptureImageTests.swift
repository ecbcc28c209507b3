import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Images of captures: the records that they give again, all or some of them.
@Suite struct CaptureImageTests {
    // The time is the hour of 23 July 2020.
    private static func line(_ hour: Int, _ device: Int, _ flags: String) -> String {
        let id = TestSupport.Sample.device(device)
        return #"{"time":"2020-07-23T\#(hour):00:00Z","device-id":"\#(id)","flags":"\#(flags)","ip":"10.0.0.\#(hour)"}"#
            + "\n"
    }

    private static func time(_ hour: Int) -> Instant { Instant(secondsSinceEpoch: 1_595_462_400 + hour * 3600) }

    private static let records = (0..<60).map {
        (hour: 10 + $0 / 6, device: $0 * 7 % 11, flags: $0 % 3 == 0 ? "rooted" : "")
    }

    private static func capture(_ records: [(hour: Int, device: Int, flags: String)]) -> String {
        records.map { line($0.hour, $0.device, $0.flags) }.joined()
    }

    private static func kept(_ request: ReplayRequest) -> [String] {
        CaptureRecords(request, keys: ["ip"]).read().records.map {
            "\($0.time) \($0.device) \($0.flags) \($0.attributes.map(\.value)) \($0.passed)"
        }
    }

    private static func image(_ records: [(hour: Int, device: Int, flags: String)]) throws -> (
        CaptureImage, ReplayRequest
    ) {
        let folder = try TemporaryFolder(["day.jsonl": capture(records)])
        var request = ReplayRequest(captures: [folder.path("day.jsonl")], account: Account())
        let image = try #require(CaptureImage.reading(request).image)
        request.image = image
        return (image, request)
    }

    @Test("An image says what was read, and gives it again when the file is gone", arguments: [1, 3])
    func all(jobs: Int) throws {
        var (image, request) = try Self.image(Self.records)
        request.jobs = jobs
        #expect(image.records == 60 && image.devices == 11)
        expect(image.times, equals: Self.time(10)...Self.time(19))
        var diagnostics = Diagnostics()
        expect(image.keys(diagnostics: &diagnostics), equals: ["flags", "ip"])
        expect(image.captures.map(\.path), equals: request.captures)
        let folder = try TemporaryFolder(["day.jsonl": Self.capture(Self.records)])
        let plain = ReplayRequest(captures: [folder.path("day.jsonl")], account: Account())
        expect(Self.kept(request), equals: Self.kept(plain))
        expect(Self.kept(request), equals: Self.kept(request))
    }

    static let choices: [(from: Int?, to: Int?, devices: Set<Int>?)] = [
        (nil, nil, nil), (12, nil, nil), (nil, 12, nil), (11, 13, nil), (nil, nil, [3, 5]), (12, 18, [0, 1, 7]),
        (19, 19, nil), (nil, nil, []),
    ]

    @Test("Some records are those of a capture that has no others", arguments: choices)
    func some(row: (from: Int?, to: Int?, devices: Set<Int>?)) throws {
        let (_, request) = try Self.image(Self.records)
        let choice = RecordChoice(
            from: row.from.map(Self.time), to: row.to.map(Self.time),
            devices: try row.devices.map { devices in
                Set(try devices.map { try #require(DeviceID(TestSupport.Sample.device($0))) })
            })
        let expected = Self.records.filter { record in
            record.hour >= row.from ?? 0 && record.hour < row.to ?? 24
                && (row.devices?.contains(record.device) ?? true)
        }
        let part = try #require(CaptureImage.reading(request, choice).image)
        expect(part.records, equals: expected.count)
        guard !expected.isEmpty else { return }
        var narrowed = request
        narrowed.image = part
        let folder = try TemporaryFolder(["day.jsonl": Self.capture(expected)])
        expect(
            Self.kept(narrowed),
            equals: Self.kept(ReplayRequest(captures: [folder.path("day.jsonl")], account: Account())))
    }

    @Test("An interrupted replay has no figures") func interrupted() throws {
        let (_, request) = try Self.image(Self.records)
        let cancellation = Cancellation()
        expect(cancellation.ending { request.run().figures?.attestations }, equals: 60)
        cancellation.request()
        // Also on the threads of several workers.
        let summary = cancellation.ending { request.run() }
        #expect(summary.figures == nil && summary.diagnostics.hasErrors)
    }
}
