import Foundation
import PolicyEngine

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// A rollout on a capture, evaluated a second time: two replays, one under the account before and one under that after, and for
/// each record the sampling says which of them counts.
struct RolloutReference {
    /// By step.
    private(set) var met: [Set<DeviceID>]
    private(set) var rejected: [Set<DeviceID>]
    private(set) var accepted: [Set<DeviceID>]
    private(set) var lost: [Int]

    private let stages: [RolloutStage]
    private let records: [(before: KeptRecord, after: KeptRecord)]
    private let entries: Set<DeviceID>
    private let starts: [Instant]
    private let name: String

    /// - Parameters:
    ///   - before: The account before; its propagation is 30 s.
    ///   - after: The account after.
    ///   - stages: The steps.
    ///   - capture: The path of the capture.
    ///   - unevaluated: The devices that are in no figure.
    init(
        _ before: Account, _ after: Account, _ stages: [RolloutStage], capture: String,
        without unevaluated: Set<String> = []
    ) {
        let keys = CaptureRecords.keys(for: before)
        let old = CaptureRecords(ReplayRequest(captures: [capture], account: before), keys: keys).read().records
        let new = CaptureRecords(ReplayRequest(captures: [capture], account: after), keys: keys).read().records
        records = zip(old, new).filter { old, _ in !unevaluated.contains("\(old.device)") }.map { ($0, $1) }
        (self.stages, name) = (stages, before.name)
        entries = Set(before.devices.filter { $0.policy != nil }.map(\.id))
        var (starts, start) = ([Instant](), old[0].time + 30)
        for stage in stages {
            starts.append(start)
            start = start + (stage.seconds ?? 0)
        }
        self.starts = starts
        met = stages.map { _ in [] }
        (rejected, accepted, lost) = (met, met, stages.map { _ in 0 })
        for record in records { count(record.before, record.after) }
        for step in stages.indices.dropFirst() {
            met[step].formUnion(met[step - 1])
            rejected[step].formUnion(rejected[step - 1])
            accepted[step].formUnion(accepted[step - 1])
            lost[step] += lost[step - 1]
        }
    }

    private func step(at time: Instant) -> Int? { starts.lastIndex { $0 <= time } }

    // R7.6, by another SHA-256.
    private func isSampled(_ record: KeptRecord, _ step: Int, as name: String) -> Bool {
        let digest = SHA256.digest("\(record.device)|\(record.time.date)|\(name)")
        let draw = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return stages[step].isComplete || Double(draw) < stages[step].fraction * 0x1p64
    }

    private mutating func count(_ old: KeptRecord, _ new: KeptRecord) {
        guard let step = step(at: old.time), isSampled(old, step, as: name) else { return }
        if !entries.contains(old.device) { met[step].insert(old.device) }
        if old.passed, !new.passed {
            lost[step] += 1
            rejected[step].insert(old.device)
        }
        if !old.passed, new.passed { accepted[step].insert(old.device) }
    }

    /// The devices, and their days with those on which they fail with the rollout and without it, up to the end of a step.
    func days(upTo last: Int, of devices: (DeviceID) -> Bool) -> [Int] {
        var days: [Set<[String]>] = [[], [], []]
        var seen: Set<DeviceID> = []
        for (old, new) in records where devices(old.device) {
            let step = step(at: old.time)
            guard step ?? 0 <= last else { continue }
            let day = ["\(old.device)", "\(old.time.date)"]
            let isChanged = step.map { isSampled(old, $0, as: name) } ?? false
            seen.insert(old.device)
            days[0].insert(day)
            if !(isChanged ? new : old).passed { days[1].insert(day) }
            if !old.passed { days[2].insert(day) }
        }
        return [seen.count] + days.map(\.count)
    }

    /// By step, when a difference is noticed if the account has another name.
    func noticed(as name: String) -> [Instant?] {
        let tested = stages.count { !$0.isComplete }
        var counts = stages.map { _ in (sampled: 0, others: 0) }
        var noticed: [Instant?] = stages.map { _ in nil }
        var seen: Set<[String]> = []
        for (old, new) in records {
            guard let step = step(at: old.time), !stages[step].isComplete, !entries.contains(old.device) else {
                continue
            }
            let isSampled = isSampled(old, step, as: name)
            guard !(isSampled ? new : old).passed, noticed[step] == nil,
                seen.insert(["\(old.device)", "\(old.time.date)", "\(step)"]).inserted
            else { continue }
            if isSampled { counts[step].sampled += 1 } else { counts[step].others += 1 }
            let p = PlainWatch.pValue(counts[step].sampled, counts[step].others, stages[step].fraction)
            if p <= 0.05 / Double(tested) { noticed[step] = old.time }
        }
        return noticed
    }
}

/// The sequential test in plain arithmetic.
enum PlainWatch {
    /// (n + 1) · n! / (k! (n − k)!) · p^k · (1 − p)^(n − k).
    static func pValue(_ successes: Int, _ failures: Int, _ share: Double) -> Double {
        var value = Double(successes + failures + 1)
        for index in 0..<successes { value *= Double(failures + index + 1) / Double(index + 1) * share }
        for _ in 0..<failures { value *= 1 - share }
        return value
    }

    /// The number of failures after which a difference is noticed in 90 % of simulated streams.
    ///
    /// - Parameters:
    ///   - share: The share of devices that are sampled.
    ///   - isRejected: By device in the order of time, true if it fails only under the change, else it fails anyway.
    ///   - runs: The number of streams.
    static func noticedDevice(share: Double, _ isRejected: [Bool], runs: Int, seed: UInt64) -> Int? {
        var chance = SplitMix64(seed: seed)
        var found: [Int] = []
        for _ in 0..<runs {
            var (sampled, others) = (0, 0)
            for (number, rejected) in isRejected.enumerated() {
                let isSampled = Double(chance.next() >> 11) * 0x1p-53 < share
                if isSampled { sampled += 1 } else if !rejected { others += 1 } else { continue }
                if pValue(sampled, others, share) <= 0.05 {
                    found.append(number)
                    break
                }
            }
        }
        let needed = Int((Double(runs) * 0.9).rounded(.up))
        return found.count >= needed ? found.sorted()[needed - 1] : nil
    }
}
