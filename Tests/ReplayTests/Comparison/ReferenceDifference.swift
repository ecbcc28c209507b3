@testable import TestSupport

/// The difference of two replays, worked out of their decisions alone, as one line for each figure that is not 0.
struct ReferenceDifference {
    private(set) var lines: [String: String] = [:]
    private let records: [CapturedRecord]
    private let before: [DecisionLine]
    private let after: [DecisionLine]
    private let decided: [Int]

    /// - Parameters:
    ///   - records: The captured records, in the order of time.
    ///   - before: The decisions of the one replay, one for each record.
    ///   - after: Those of the other.
    ///   - unevaluated: The records on which the effect of the change is not known.
    init(_ records: [CapturedRecord], before: [DecisionLine], after: [DecisionLine], unevaluated: Set<Int> = []) {
        (self.records, self.before, self.after) = (records, before, after)
        // A device with an unknown effect is in no figure of changes.
        let devices = Set(unevaluated.map { records[$0].device })
        decided = records.indices.filter { !devices.contains(records[$0].device) }
        note("attestations", records.count)
        note("devices", Set(records.map(\.device)).count)
        noteDevices(except: Set(unevaluated.map { records[$0].device }))
        note("rejected", decided.filter { before[$0].passed && !after[$0].passed }, reasons: after)
        note("accepted", decided.filter { !before[$0].passed && after[$0].passed }, reasons: before)
        for index in decided {
            note("lifetimes/\(before[index].lifetime)/\(after[index].lifetime)", 1)
            noteAnnotations(before[index].annotations, after[index].annotations)
        }
    }

    private mutating func note(_ name: String, _ count: Int) {
        guard count > 0 else { return }
        lines[name] = String(count + (lines[name].flatMap { Int($0) } ?? 0))
    }

    private mutating func noteDevices(except unevaluated: Set<String>) {
        note("unjudged", unevaluated.count)
        let passed = [before, after].map { Set($0.filter(\.passed).map(\.device)).subtracting(unevaluated) }
        note("locked-out", passed[0].subtracting(passed[1]).count)
        note("let-in", passed[1].subtracting(passed[0]).count)
    }

    private mutating func noteAnnotations(_ before: [String]?, _ after: [String]?) {
        guard before != after else { return }
        note("annotations", 1)
        if before == nil { note("annotations/appearing", 1) }
        if after == nil { note("annotations/disappearing", 1) }
        let (old, new) = (Set(before ?? []), Set(after ?? []))
        for flag in new.subtracting(old) { note("annotations/gained/\(flag)", 1) }
        for flag in old.subtracting(new) { note("annotations/lost/\(flag)", 1) }
    }

    // Notes the records that turned one way; their reasons are those of the side that rejects.
    private mutating func note(_ title: String, _ indices: [Int], reasons: [DecisionLine]) {
        note("\(title)/attestations", indices.count)
        note("\(title)/devices", Set(indices.map { records[$0].device }).count)
        var parts: [String: [Int]] = [:]
        for index in indices {
            for rejection in reasons[index].rejections { parts[Self.part(of: rejection), default: []].append(index) }
            let (app, version) = records[index].apps
            if let app { parts["app/\(app)", default: []].append(index) }
            if let version { parts["version/\(version)", default: []].append(index) }
            parts["system/\(records[index].system)", default: []].append(index)
        }
        for (part, indices) in parts {
            let devices = indices.map { records[$0].device }
            lines["\(title)/\(part)"] = "\(indices.count) of \(Set(devices).count), first \(devices[0])"
        }
        noteExamples(title, indices, reasons: reasons)
    }

    private static func part(of rejection: String) -> String {
        if rejection.hasPrefix("filter:") { return "filter/\(rejection.dropFirst(7))" }
        return rejection == "policy:blacklist" ? "other/\(rejection)" : "flag/\(rejection)"
    }

    private mutating func noteExamples(_ title: String, _ indices: [Int], reasons: [DecisionLine]) {
        var groups: [(key: [String], indices: [Int])] = []
        for index in indices {
            let key = [before[index], after[index]].map { "\($0.verdict) \($0.policy) \($0.rejections)" }
            if let known = groups.firstIndex(where: { $0.key == key }) {
                groups[known].indices.append(index)
            } else {
                groups.append((key, [index]))
            }
        }
        // The most frequent first, and among equals the one seen first, since `sorted` is not stable.
        let ordered = groups.enumerated().sorted {
            ($1.element.indices.count, $0.offset) < ($0.element.indices.count, $1.offset)
        }
        for (number, group) in ordered.map(\.element).prefix(10).enumerated() {
            let first = group.indices[0]
            lines["\(title)/example \(number)"] =
                "\(records[first].device) \(records[first].time) \(group.indices.count) \(reasons[first].flags) "
                + group.key.joined(separator: " → ")
        }
    }
}
