import Foundation
import Testing

@testable import TestSupport

/// The page of `explore` in Debian's Chromium: people's tasks from the first click on, with each figure compared with the command's
/// own answer. `make test` installs what this needs; with `SCREENSHOTS=FOLDER` in the environment pictures are kept there.
@Suite struct ExplorePageTests {
    /// A part of the tests, with the least number of comparisons that it makes.
    struct Part: Sendable, CustomTestStringConvertible {
        let name: String
        let comparisons: Int
        var options: [String] = []
        var testDescription: String { name }
    }

    private static let parts = [
        Part(name: "tasks", comparisons: 50), Part(name: "walks", comparisons: 10),
        Part(name: "keyboard", comparisons: 7),
        Part(name: "accessibility", comparisons: 60), Part(name: "layout", comparisons: 30),
        Part(name: "speed", comparisons: 1),
        Part(name: "endings", comparisons: 4),
        Part(name: "labels", comparisons: 15, options: ["--labels", "labels.csv"]),
        Part(name: "strangers", comparisons: 4), Part(name: "functions", comparisons: 34),
    ]

    private static let root = Repository.root

    // Every third device is bad, and every third one good.
    private static func labels(of capture: String) -> String {
        let devices = capture.split(separator: "\n").compactMap { line in
            line.hasPrefix("device-id: ") ? line.dropFirst("device-id: ".count) : nil
        }
        let lines = devices.enumerated().compactMap { number, device in
            number % 3 == 2 ? nil : "\(device),\(number % 3 == 0 ? "good" : "bad")\n"
        }
        return "device-id,label\n" + lines.joined()
    }

    @Test(arguments: parts) func thePageShowsWhatTheCommandAnswers(_ part: Part) async throws {
        let scenarios = Self.root.appending(path: "Scenarios")
        let capture = try String(
            contentsOf: scenarios.appending(path: "captures/new-devices-2020-07-23.txt"), encoding: .utf8)
        let account = try String(contentsOf: scenarios.appending(path: "accounts/bank.yaml"), encoding: .utf8)
        let folder = try TemporaryFolder([
            "day.txt": capture, "account.yaml": account, "labels.csv": Self.labels(of: capture),
        ])
        try folder.write(HostileCapture.text(), to: "hostile.jsonl")
        let work: [String: Any] = [
            "command": ToolProcess.path, "folder": folder.path(""), "part": part.name, "options": part.options,
            "walks": Exhaustive.count(4, whole: 200), "seed": 1,
            "axe": Self.root.appending(path: ".build/wheels/axe_playwright_python/axe.min.js").path(
                percentEncoded: false),
            "screenshots": ProcessInfo.processInfo.environment["SCREENSHOTS"].map { $0 as Any } ?? NSNull(),
        ]
        let answer = try await Tooling.answer(of: "explore_page.py", to: work, in: .pages)
        let differences = try #require(answer["differences"] as? [[String: Any]])
        for difference in differences { Issue.record("\(difference)") }
        #expect((answer["compared"] as? Int ?? 0) >= part.comparisons)
    }

    // The page stays small enough to be read: hand-written, without a build step.
    @Test func thePageIsSmall() throws {
        let folder = Self.root.appending(path: "Sources/Explore/Page")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        #expect(sizes.count > 10)
        #expect(sizes.reduce(0, +) <= 110 * 1024)
    }
}
