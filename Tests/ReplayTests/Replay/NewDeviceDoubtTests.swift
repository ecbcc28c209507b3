import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// If no record has `new-did`, nobody knows which devices were new: effects of that are reported as unknown, not counted.
@Suite struct NewDeviceDoubtTests {
    private static func record(_ second: Int, _ device: String, _ flags: String) -> String {
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(device)","flags":"\#(flags)"}"# + "\n"
    }

    private static let (bob, iphone) = (SampleDevice.bob, SampleDevice.iphone)
    /// Bob twice, once rooted; the iPhone once.
    private static let silent = record(0, bob, "") + record(1, bob, "rooted") + record(2, iphone, "")
    private static let saying = silent + record(3, iphone, "new-did")
    private static let filter = "{name: f, key: device-id, regex: ."

    struct Row: LabelledRow {
        let name, account: String
        var capture = silent
        /// The attestations that pass and fail, those that match filter `f`, and the devices that were not evaluated.
        let pass, fail, matched, unevaluated: Int
        /// Further devices, whose verdicts are known.
        var leftOut = 0
    }

    static let rows = [
        Row(name: "nothing depends on it", account: "account: a", pass: 2, fail: 1, matched: 0, unevaluated: 0),
        Row(
            name: "a filter on all devices", account: "filters: [\(filter), reject: true}]", pass: 0, fail: 3,
            matched: 3,
            unevaluated: 0),
        Row(
            name: "a filter on new devices", account: "filters: [\(filter), reject: true, new-did-only: true}]",
            pass: 2,
            fail: 1, matched: 0, unevaluated: 2),
        Row(
            name: "a filter on new devices without an action leaves nobody unknown",
            account: "filters: [\(filter), new-did-only: true}]", pass: 2, fail: 1, matched: 0, unevaluated: 0,
            leftOut: 2),
        Row(
            name: "a filter on new devices that bans: what comes later depends on it too",
            account: "filters: [\(filter), ban: true, new-did-only: true}]", pass: 2, fail: 1, matched: 0,
            unevaluated: 2),
        Row(
            name: "a filter on new devices that matches none",
            account: "filters: [{name: f, key: ip, match: x, reject: true, new-did-only: true}]", pass: 2, fail: 1,
            matched: 0, unevaluated: 0),
        Row(
            name: "a conjunction of one",
            account: "filters: [\(filter), new-did-only: true}, "
                + "{name: c, conjunction: [f], reject: true}]", pass: 2, fail: 1, matched: 0, unevaluated: 2),
        Row(
            name: "a policy that rejects new devices", account: "reject-flags: {add: [new-did]}", pass: 2, fail: 1,
            matched: 0, unevaluated: 2),
        Row(
            name: "a capture that says", account: "filters: [\(filter), reject: true, new-did-only: true}]",
            capture: saying, pass: 0, fail: 4, matched: 3, unevaluated: 0),
    ]

    @Test(arguments: rows) func countsWhatIsKnown(_ row: Row) throws {
        for jobs in [1, 2, 3] {
            let replayed = try ReplayBench.replay(row.capture, account: try AccountText.account(row.account)) {
                $0.jobs = jobs
                $0.blockBytes = 128
            }
            let figures = try #require(replayed.summary.figures)
            #expect([replayed.metric("pass"), replayed.metric("fail")] == [row.pass, row.fail])
            #expect(replayed.metric("filter-f") == row.matched)
            #expect(figures.unevaluated.devices == row.unevaluated)
            #expect((figures.unevaluated.reasons["new-did"] ?? 0) == row.unevaluated)
            #expect(figures.unevaluated.leftOut == row.leftOut)
        }
    }

    struct Change: LabelledRow {
        let name, before, after: String
        var capture = silent
        /// Attestations newly rejected and accepted, devices not evaluated, and locked out.
        let rejected, accepted, unevaluated, lockedOut: Int
        /// Further devices that may be locked out or let in.
        var open = 0
    }

    private static let onNew = "filters: [\(filter), reject: true, new-did-only: true}]"

    static let changes = [
        Change(
            name: "a filter on new devices comes", before: "account: a", after: onNew, rejected: 0, accepted: 0,
            unevaluated: 2, lockedOut: 0),
        Change(
            name: "the capture says", before: "account: a", after: onNew, capture: saying, rejected: 3, accepted: 0,
            unevaluated: 0, lockedOut: 2),
        Change(
            // Bob's first record passes or fails on both sides; the second is that of a known device. If the first one fails, he is
            // let in.
            name: "the same filter on both sides", before: onNew,
            after: onNew + "\npolicy: default,allow-root,default", rejected: 0, accepted: 1, unevaluated: 0,
            lockedOut: 0, open: 1),
        Change(
            name: "what is rejected anyway", before: onNew, after: "policy: default,blacklist,default", rejected: 0,
            accepted: 0, unevaluated: 2, lockedOut: 0),
    ]

    @Test(arguments: changes) func compares(_ row: Change) throws {
        let comparison = try #require(
            try ComparisonBench.compare(row.capture, before: row.before, after: row.after).comparison)
        let changes = comparison.changes
        #expect([changes.rejected.events, changes.accepted.events] == [row.rejected, row.accepted])
        #expect([changes.unevaluated.devices, changes.lockedOut] == [row.unevaluated, row.lockedOut])
        #expect(changes.openTurns == row.open)
        #expect(comparison.evaluatesAnything == (row.unevaluated < 2))
        let emptiness = row.unevaluated < 2 ? nil : "the captures do not say which devices were new"
        #expect(comparison.emptiness == emptiness)
        #expect(comparison.isExact == (row.capture != Self.silent))
    }
}
