import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// The same command on the same files writes the same bytes in every process, whatever the number of workers and whoever is faster.
@Suite struct RepeatedRunTests {
    private static let shipped = Repository.root.appending(path: "Scenarios").path(percentEncoded: false)
    private static let day = shipped + "/captures/new-devices-2020-07-23.txt"
    private static let afternoon = shipped + "/captures/afternoon-2020-07-23.jsonl"
    private static let account = "--account=\(shipped)/accounts/bank.yaml"
    private static let change = "--change=policy -set default,strict,risk"
    private static let who = "--who=os-version,ip/16,flags"

    // A quick run takes those whose counts are added up over workers.
    static let commands = Exhaustive.choice(Array(all.prefix(7)), whole: all)

    private static let all: [[String]] = [
        ["replay", day, account, "--format=json", "--count=ip,app-version"],
        ["replay", day, account, "--decisions=report", "--output=/dev/null"],
        ["replay", afternoon, account, "--format=csv"], ["replay", day, account, "--partial=report"],
        ["diff", day, account, change, "--partial=report"], ["diff", day, account, change, who, "--partial=report"],
        ["diff", afternoon, account, change, "--shard=2/3", "--partial=report"],
        ["diff", day, account, change, "--count=model,ip", "--format=json"],
        ["diff", day, account, change, who, "--format=json"],
        ["diff", day, account, change, "--format=html"], ["diff", day, account, change, "--format=csv"],
        ["whatif", day, account, "--format=json"],
        ["search", day, account, "--reject=flag:safetynet-unavailable", "--max-edits=1", "--format=json"],
        ["explain", day, account, "--device=hMEywo8hWadZjlpRQVMXIA==", "--format=json"],
        ["prove", account, change, "--format=json"], ["compare", day, afternoon, account, "--format=json"],
        ["rollout", day, "--account=sampled.yaml", "--policy=strict", "--steps=10%:2h,100%", "--format=json"],
        ["record", afternoon, account],
        ["pack", day, "--output=report"], ["run", shipped, "--format=json"],
        ["lint", shipped, "--format=json"],
    ]

    @Test("the bytes are the same, with one worker, two and seven", arguments: commands)
    func bytesAreTheSame(_ command: [String]) async throws {
        let hasJobs = try ScenarioTool.definition.command(named: command[0]).has(Options.jobs)
        let hasOutput = command.contains { $0.hasSuffix("=report") || $0.hasPrefix("--output=") }
        let numbers = (0..<Exhaustive.count(1, whole: 10)).flatMap { _ in [1, 2, 7] }
        // All at once, so that the machine is busy.
        let written = try await withThrowingTaskGroup(of: (status: Int32, bytes: [UInt8]?).self) { group in
            for jobs in numbers {
                group.addTask {
                    let folder = try TemporaryFolder(["sampled.yaml": "rules: [sampled]\n"])
                    let more = (hasJobs ? ["--jobs=\(jobs)"] : []) + (hasOutput ? [] : ["--output=report"])
                    let process = try ToolProcess(command + more, in: folder)
                    process.stopReading()
                    return (process.end().status, folder.bytes(of: "report"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(written.allSatisfy { $0.status == written[0].status && $0.bytes == written[0].bytes })
        expect(written[0].bytes?.isEmpty, equals: false)
    }
}
