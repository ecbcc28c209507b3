import Foundation
import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// A comparison on records that were kept in memory is the one on the captures, whatever the change.
@Suite struct BaselineTests {
    typealias Agreement = ComparisonAgreesWithReplaysTests

    private static let flags = ["extra-one", "extra-two", "zz-unknown", "aa-unknown"]

    /// Several captures at once, each of devices of its own.
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

    @Test("A change has the same figures as on the captures", arguments: Exhaustive.seeds(1...200, each: 25))
    func agrees(seed: UInt64) throws {
        let before = try Self.account(seed: seed)
        // Of every other one no record says which devices were new.
        let records = try Self.records(seed: seed, 6).map { seed % 20 == 1 ? $0 : $0.withoutNewDevices }
        let capture = records.map(\.line).joined()
        let folder = try TemporaryFolder(["day.jsonl": capture])
        var request = ReplayRequest(captures: [folder.path("day.jsonl")], account: before)
        let read = seed % 3 == 1 ? CaptureImage.reading(request) : CaptureImage.evaluating(request)
        let image = try #require(read.image)
        for (number, (part, after)) in try Self.changes(of: before, seed: seed).enumerated() {
            request.image = nil
            let plain = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
            (request.image, request.jobs) = (image, 1 + number % 3)
            let kept = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
            expect(kept.comparison?.lines, equals: plain.comparison?.lines, "seed \(seed), \(part)")
            expect("\(kept.diagnostics.all)", equals: "\(plain.diagnostics.all)", "seed \(seed), \(part)")
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

/// Captures that an account evaluates when they are read first, and that are read once more when somebody asks about values.
@Suite struct EvaluatingTests {
    private static let account = """
        policy: default,default,default
        filters: [{name: ten, key: ip, regex: '^10', risky: true}]

        """

    private static func line(_ device: Int, _ address: String) -> String {
        #"{"time":"2020-07-23T11:10:4\#(device)Z","device-id":"\#(TestSupport.Sample.device(device))","ip":"\#(address)","flags":""}"#
            + "\n"
    }

    private static let capture = line(1, "10.0.0.1") + line(2, "11.0.0.1") + line(3, "10.0.0.2")

    private static func request(_ capture: String = capture, in name: String = "day.jsonl") throws -> (
        ReplayRequest, TemporaryFolder
    ) {
        let folder = try TemporaryFolder([name: capture])
        return (ReplayRequest(captures: [folder.path(name)], account: try AccountText.account(account)), folder)
    }

    private static func change(_ request: ReplayRequest, _ pattern: String) throws -> ComparisonSummary {
        let after = try AccountText.account(account.replacing("^10", with: pattern).replacing("risky", with: "reject"))
        return CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
    }

    @Test("Values that nobody asked about before are read once more") func answers() throws {
        var (request, folder) = try Self.request()
        let image = try #require(CaptureImage.evaluating(request).image)
        #expect(image.records == 3 && image.devices == 3)
        expect(image.times?.lowerBound.description, equals: "2020-07-23T11:10:41Z")
        request.image = image
        try expect(Self.change(request, "^11").comparison?.changes.rejected.devices, equals: 1)
        var diagnostics = Diagnostics()
        expect(image.keys(diagnostics: &diagnostics), equals: ["flags", "ip"])
        _ = folder
    }

    @Test("What the account itself asks for needs no captures any more") func firstAnswer() throws {
        var (request, folder) = try Self.request()
        request.image = CaptureImage.evaluating(request).image
        try FileManager.default.removeItem(atPath: request.captures[0])
        try expect(Self.change(request, "^10").comparison?.changes.rejected.devices, equals: 2)
        _ = folder
    }

    @Test("A capture with a fault is refused as it is when its columns are made") func faults() throws {
        let (request, folder) = try Self.request(Self.capture + "{\"time\":1}\n")
        let read = CaptureImage.evaluating(request)
        #expect(read.image == nil)
        let plain = CaptureImage.reading(request).diagnostics
        #expect("\(read.diagnostics.all)" == "\(plain.all)" && plain.hasErrors)
        _ = folder
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let capture: String?
        let reason: String
    }

    private static let changes = [
        Change(testDescription: "the file is gone", capture: nil, reason: "no such file or directory"),
        Change(testDescription: "a record more", capture: capture + line(4, "10.0.0.3"), reason: "it has changed"),
        Change(
            testDescription: "another value", capture: capture.replacing("11.0.0.1", with: "10.0.0.9"),
            reason: "it has changed"),
    ]

    @Test(arguments: changes) func isRefused(_ change: Change) throws {
        var (request, folder) = try Self.request()
        let image = try #require(CaptureImage.evaluating(request).image)
        try FileManager.default.removeItem(atPath: request.captures[0])
        try change.capture?.write(toFile: request.captures[0], atomically: false, encoding: .utf8)
        request.image = image
        let summary = try Self.change(request, "^11")
        #expect(summary.comparison == nil)
        let error = summary.diagnostics.all.first { $0.severity == .error }
        expect(error?.message, equals: "the capture cannot be read once more: " + change.reason)
        var diagnostics = Diagnostics()
        #expect(image.keys(diagnostics: &diagnostics) == nil && diagnostics.hasErrors)
        _ = folder
    }

    @Test("Captures with a fault, and records to be sorted, are read at once", arguments: ["sorted", "malformed"])
    func atOnce(kind: String) throws {
        let second = kind == "sorted" ? Self.line(0, "10.0.0.7") : "{\"time\":1}\n"
        var (request, folder) = try Self.request(Self.capture + second)
        (request.sorts, request.skipsMalformed) = (kind == "sorted", true)
        let image = try #require(CaptureImage.evaluating(request).image)
        try FileManager.default.removeItem(atPath: request.captures[0])
        expect(image.records, equals: (kind == "sorted" ? 4 : 3))
        var diagnostics = Diagnostics()
        expect(image.keys(diagnostics: &diagnostics), equals: ["flags", "ip"])
        _ = folder
    }
}
