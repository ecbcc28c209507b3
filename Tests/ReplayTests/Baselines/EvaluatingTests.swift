import Foundation
import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

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
        #expect(image.times?.lowerBound.description == "2020-07-23T11:10:41Z")
        request.image = image
        #expect(try Self.change(request, "^11").comparison?.changes.rejected.devices == 1)
        var diagnostics = Diagnostics()
        #expect(image.keys(diagnostics: &diagnostics) == ["flags", "ip"])
        _ = folder
    }

    @Test("What the account itself asks for needs no captures any more") func firstAnswer() throws {
        var (request, folder) = try Self.request()
        request.image = CaptureImage.evaluating(request).image
        try FileManager.default.removeItem(atPath: request.captures[0])
        #expect(try Self.change(request, "^10").comparison?.changes.rejected.devices == 2)
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
        #expect(error?.message == "the capture cannot be read once more: " + change.reason)
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
        #expect(image.records == (kind == "sorted" ? 4 : 3))
        var diagnostics = Diagnostics()
        #expect(image.keys(diagnostics: &diagnostics) == ["flags", "ip"])
        _ = folder
    }
}
