import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// Records are kept as numbers, and their texts are those of the capture.
@Suite struct KeptRecordTests {
    private static let keys = ["ip", "device", "appid", "app-version", "user-property", "sdkid"]

    private static func read(
        _ records: [CapturedRecord], _ account: Account, jobs: Int = 1
    ) throws -> KeptRecords {
        let folder = try TemporaryFolder()
        let path = try folder.write(records.map(\.line).joined().utf8, to: "1")
        var request = ReplayRequest(captures: [path], account: account)
        (request.jobs, request.blockBytes) = (jobs, 700)
        return CaptureRecords(request, keys: keys).read()
    }

    @Test("what is kept is what the capture says", arguments: Exhaustive.seeds(1...200, each: 20))
    func recordsAreThoseOfTheCapture(seed: UInt64) throws {
        var (capture, random) = (
            RandomCapture(seed: seed, flags: ["extra-one", "strange"]),
            RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        )
        let (records, account) = (capture.records(120), try AccountText.account(random.text()))
        for jobs in [1, 3] {
            let kept = try Self.read(records, account, jobs: jobs).records
            try #require(kept.count == records.count)
            for (record, said) in zip(kept, records) {
                let words: Comment = "seed \(seed), record \(record.index)"
                expect(record.device.description, equals: said.device, words)
                expect(record.time.secondsSinceEpoch, equals: said.seconds, words)
                expect(Set(record.flags), equals: Set(said.flags), words)
                expect(record.capturedVerdict, equals: said.verdict, words)
                expect(record.passed, equals: record.rejections.isEmpty, words)
                let attributes = Self.keys.compactMap { key in
                    said.attributes[key].map { KeptRecord.Attribute(key: key, value: $0) }
                }
                expect(record.attributes, equals: attributes, words)
                for key in Self.keys { expect(record.attribute(key), equals: said.attributes[key], words) }
                #expect(said.flags.allSatisfy(record.hasFlag) && !record.hasFlag(named: "nothing"))
            }
        }
    }

    @Test("a record takes at most 200 bytes beside the distinct texts") func memory() throws {
        var capture = RandomCapture(seed: 1, flags: [])
        let records = try Self.read(capture.records(5_000), Account()).records
        let texts = try #require(records.first?.texts)
        #expect(records.allSatisfy { $0.texts === texts })
        let numbers = texts.values.capacity * MemoryLayout<ValueNumber>.stride
        #expect(MemoryLayout<KeptRecord>.stride + numbers / records.count <= 200)
        expect(texts.values.count, equals: records.count * Self.keys.count)
        #expect(Set(texts.values).count < 8 && texts.rejections.count < records.count / 2)
    }

    @Test("a name that the catalogue reads as another flag is no name of that flag") func misspeltFlag() throws {
        var capture = RandomCapture(seed: 2, flags: [])
        var record = try #require(capture.records(1).first)
        record = CapturedRecord(
            device: record.device, time: record.time, seconds: record.seconds, flags: [FlagCatalogue.misspelt],
            attributes: [:], verdict: nil)
        let kept = try #require(try Self.read([record], Account()).records.first)
        expect(kept.flags, equals: ["devicecheck-completed"])
        #expect(kept.hasFlag(named: "devicecheck-completed") && !kept.hasFlag(named: FlagCatalogue.misspelt))
    }
}
