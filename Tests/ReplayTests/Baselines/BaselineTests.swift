import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// A comparison on records that were kept in memory is the one on the captures, whatever the change, and evaluates few devices.
@Suite struct BaselineTests {
    typealias Agreement = ComparisonAgreesWithReplaysTests

    private static let flags = ["extra-one", "extra-two", "zz-unknown", "aa-unknown"]

    /// Several captures at once, each of devices of its own, so that most changes leave some devices alone.
    private static func records(seed: UInt64, _ sources: Int) throws -> [CapturedRecord] {
        var records: [CapturedRecord] = []
        for source in 0..<sources {
            var capture = RandomCapture(seed: seed << 24 | UInt64(source), flags: flags)
            for record in capture.records(25) {
                let number = try #require(RandomCapture.devices.firstIndex(of: record.device))
                let device = DeviceID(first: UInt64(number + 1) << 60, second: UInt64(source))
                records.append(
                    CapturedRecord(
                        device: device.description, time: record.time, seconds: record.seconds, flags: record.flags,
                        attributes: record.attributes, verdict: record.verdict))
            }
        }
        return records.enumerated().sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
            .map(\.element)
    }

    private static func account(seed: UInt64) throws -> Account {
        var drawn = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        return try AccountText.account(drawn.text())
    }

    // Accounts that differ from one in a part each, and one that differs in all.
    private static func changes(of account: Account, seed: UInt64) throws -> [(part: String, account: Account)] {
        let other = try Self.account(seed: ~seed)
        let parts: [AccountPart] = [.policy, .filters, .devices, .filteredPolicy, .name, .billingDay, .grace]
        let single = parts.map { part in
            var changed = account
            changed.copy(part, from: other)
            return (part: "\(part)", account: changed)
        }
        return [("nothing", account)] + single + [("all", other)] + (try edits(of: account))
    }

    // The edits that a click makes.
    private static func edits(of account: Account) throws -> [(part: String, account: Account)] {
        var (root, filter, removal) = (account, account, account)
        let xposed = try #require(account.catalogue.flag(named: "xposed"))
        if root.policy.rejection.anyRejecting.contains(xposed) {
            root.policy.rejection.removeRejectFlag(xposed)
        } else {
            root.policy.rejection.addRejectFlag(xposed)
        }
        if account.filters.count < AccountLimits.filters {
            let test = Filter.Test.regex(key: "ip", pattern: try Pattern("^1[01]"))
            try filter.append(try Filter(name: "added", test: test, options: [.reject]))
        }
        if let first = account.filters.first { try removal.removeFilter(named: first.name) }
        return [("a flag", root), ("a filter", filter), ("a removal", removal)]
    }

    @Test("A change has the same figures as on the captures", arguments: Exhaustive.seeds(1...200, each: 10))
    func agrees(seed: UInt64) throws {
        let before = try Self.account(seed: seed)
        // Of every other one no record says which devices were new.
        let records = try Self.records(seed: seed, 6).map { seed % 20 == 1 ? $0 : $0.withoutNewDevices }
        let capture = records.map(\.line).joined()
        let folder = try TemporaryFolder(["day.jsonl": capture])
        var request = ReplayRequest(captures: [folder.path("day.jsonl")], account: before)
        let image = try #require(CaptureImage.reading(request).image)
        for (number, (part, after)) in try Self.changes(of: before, seed: seed).enumerated() {
            request.image = nil
            let plain = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
            (request.image, request.jobs) = (image, 1 + number % 3)
            let kept = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
            #expect(kept.comparison?.lines == plain.comparison?.lines, "seed \(seed), \(part)")
            #expect("\(kept.diagnostics.all)" == "\(plain.diagnostics.all)", "seed \(seed), \(part)")
        }
    }
}

extension CapturedRecord {
    fileprivate var withoutNewDevices: CapturedRecord {
        CapturedRecord(
            device: device, time: time, seconds: seconds, flags: flags.filter { $0 != "new-did" },
            attributes: attributes, verdict: verdict)
    }
}
