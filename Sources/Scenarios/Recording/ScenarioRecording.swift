package import Documents
package import PolicyEngine
package import Replay

/// Writes a scenario that pins what an account decides on the records of a capture: each device attests at the times of its
/// records, with what was observed then.
package struct ScenarioRecording {
    private let account: Account
    private let source: AccountSource
    private let name: String
    private var records: [KeptRecord]

    /// The form in which the scenario says its account.
    package enum AccountSource: Sendable {
        /// It is a new account, of which nothing is said.
        case new
        /// Its file as the scenario names it.
        case file(String)
        /// The text that its file would have.
        case text(String)
    }

    /// The greatest number of records that a scenario takes.
    package static let limit = 10_000

    /// - Parameters:
    ///   - records: The records in the order of time, with the account's decisions; at least one.
    ///   - name: The scenario's name.
    ///   - source: The form in which the scenario says its account.
    package init(_ records: [KeptRecord], name: String, account: Account, source: AccountSource) {
        (self.records, self.name, self.account, self.source) = (records, name, account, source)
    }

    /// The attributes of records that a scenario says.
    package static func keys(_ account: Account) -> [String] {
        let filtered = account.filters.compactMap(\.key).filter { key in
            !["flags-all", "public-flags", "device-id"].contains(key) && !InformationKeys.given.contains(key)
        }
        let keys = InformationKeys.given + filtered
        return keys.enumerated().filter { keys.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            .filter { $0 != "device-id" && AttributeForm.problem(ofKey: $0) == nil }
    }

    /// Leaves out devices that a simulation decides otherwise on, such as one whose DeviceCheck it would do itself.
    ///
    /// - Parameters:
    ///   - path: The future path of the scenario, since it names its account from there.
    ///   - diagnostics: Gets why the scenario cannot be read or run.
    /// - Returns: The devices that were left out, in the order of their first records; `nil` where the scenario cannot be
    ///   read or run, after noting why.
    package mutating func leaveOutOthers(
        path: String, diagnostics: inout Diagnostics
    ) -> [DeviceID]? {
        var left: [DeviceID] = []
        let runner = ScenarioRunner(patterns: PatternMatcher(keepsAll: true))
        while !records.isEmpty {
            let document = YAMLParser.parse(SourceFile(path: path, text: text))
            guard
                let scenario = ScenarioLoader.load(
                    document, isChecked: false, within: .anywhere, diagnostics: &diagnostics)
            else { return nil }
            let results = runner.run([scenario], diagnostics: &diagnostics)
            guard !diagnostics.hasErrors else { return nil }
            let failed = Set(
                results.flatMap(\.expectations).filter { !$0.passed }.compactMap { devicesByLine[$0.position.line] })
            if failed.isEmpty { break }
            left += groups.filter(failed.contains)
            records.removeAll { failed.contains($0.device) }
        }
        return left
    }

    /// The number of records that are pinned.
    package var count: Int { records.count }

    /// The scenario as YAML.
    package var text: String { (head + deviceLines + ["steps:"] + steps.map(\.line)).map { $0 + "\n" }.joined() }

    private var head: [String] {
        let start = records.first?.time ?? Instant(secondsSinceEpoch: 0)
        return ["scenario: \(ScalarText.write(name, isInFlow: false))", "start: \(start)"] + accountLines + ["devices:"]
    }

    private var accountLines: [String] {
        switch source {
        case .new: []
        case .file(let path): ["account: \(ScalarText.write(path, isInFlow: false))"]
        case .text(let text):
            ["account:"] + text.split(separator: "\n").map { "  \($0)" }
        }
    }

    // The device of whose fetch something is expected, by the line of the scenario, counted from 1.
    private var devicesByLine: [Int: DeviceID] {
        let first = head.count + deviceLines.count + 2
        return steps.enumerated().reduce(into: [:]) { $0[first + $1.offset] = $1.element.device }
    }
}

// MARK: Devices

extension ScenarioRecording {
    // The devices in the order of their first records.
    private var groups: [DeviceID] {
        var seen: Set<DeviceID> = []
        return records.map(\.device).filter { seen.insert($0).inserted }
    }

    private var deviceLines: [String] {
        var seen: Set<DeviceID> = []
        return records.filter { seen.insert($0.device).inserted }.enumerated().map { index, record in
            var parts = ["id: \(record.device)"]
            switch record.system {
            case .android: parts.append("os: android")
            case .ios: parts.append("os: ios")
            default: break
            }
            return "  d\(index + 1): {\((parts + observed(record, isFirst: true)).joined(separator: ", "))}"
        }
    }

    // The properties of a device at the time of a record, as a group or a step gives them.
    private func observed(_ record: KeptRecord, isFirst: Bool) -> [String] {
        let attributes = sayable(record).map {
            "\($0.key): \(ScalarText.write($0.value, quotes: .double, isInFlow: true))"
        }
        return ["flags: [\(flags(record, isFirst: isFirst).joined(separator: ", "))]"]
            + (attributes.isEmpty ? [] : ["attributes: {\(attributes.joined(separator: ", "))}"])
    }

    // The flags that a scenario may name and need not derive.
    private func flags(_ record: KeptRecord, isFirst: Bool) -> [String] {
        record.flags.filter { name in
            account.catalogue.namedFlag(name) != nil && name != "risky-device" && !(isFirst && name == "new-did")
        }
    }

    private func sayable(_ record: KeptRecord) -> [KeptRecord.Attribute] {
        record.attributes.filter { attribute in
            AttributeForm.problem(ofValue: attribute.value) == nil
                && !(attribute.key == "ip" && attribute.value.contains("/"))
        }
    }
}

// MARK: Steps

extension ScenarioRecording {
    private struct Line {
        let line: String
        /// Whose fetch it expects something of, if it does.
        var device: DeviceID?
    }

    private var steps: [Line] {
        var (lines, latest, names): ([Line], [DeviceID: KeptRecord], [DeviceID: String]) = ([], [:], [:])
        let start = records.first?.time ?? Instant(secondsSinceEpoch: 0)
        for record in records {
            let at = "at: \(DurationText.text(record.time - start))"
            let name = names[record.device] ?? "d\(names.count + 1)"
            names[record.device] = name
            if let before = latest[record.device] {
                let change = observed(record, isFirst: false)
                if change != observed(before, isFirst: false) {
                    lines.append(Line(line: "  - {\(at), set: {group: \(name), \(change.joined(separator: ", "))}}"))
                }
                // A cached token would keep the app from attesting.
                lines.append(Line(line: "  - {\(at), launch: \(name)}"))
            }
            latest[record.device] = record
            lines.append(
                Line(line: "  - {\(at), fetch: \(name), expect: {\(expectation(record))}}", device: record.device))
        }
        return lines
    }

    private func expectation(_ record: KeptRecord) -> String {
        guard !record.passed else { return "verdict: pass" }
        let causes = record.rejections.map { ScalarText.write($0, isInFlow: true) }
        return "verdict: fail, rejections: [\(causes.joined(separator: ", "))]"
    }
}
