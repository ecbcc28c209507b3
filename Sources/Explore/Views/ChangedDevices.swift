package import Documents
package import Figures
package import PolicyEngine
package import Replay

/// The devices whose verdicts a change turns one way, a page at a time: for each the first attestation that it turns.
package struct ChangedDevices: Sendable {
    /// The way in which verdicts turn.
    package enum Kind: String, CaseIterable, Sendable {
        case newlyRejected = "newly-rejected"
        case newlyAccepted = "newly-accepted"
    }

    private let kind: Kind
    // In the order of their IDs; `nil` where there are too many.
    private let all: [DeviceID]?
    private let total: Int

    /// Takes the devices from a comparison.
    package init(_ kind: Kind, of comparison: Comparison) {
        self.kind = kind
        let changes = kind == .newlyRejected ? comparison.changes.rejected : comparison.changes.accepted
        total = changes.devices
        all = changes.known.all?.map { ($0, $0.description) }.sorted { $0.1 < $1.1 }.map { $0.0 }
    }

    /// A page of them as JSON.
    ///
    /// - Parameters:
    ///   - range: The places of the devices on the page, counted from 0.
    ///   - question: The comparison that they were taken from.
    /// - Returns: `nil` where the replay was refused or interrupted, and why.
    package func page(
        _ range: Range<Int>, of question: ComparisonRequest
    ) -> (json: JSONValue?, diagnostics: Diagnostics) {
        let shown = all.map { Array($0[range.clamped(to: 0..<$0.count)]) } ?? []
        let before = Self.records(of: shown, question.replay, under: question.replay.account)
        let after = Self.records(of: shown, question.replay, under: question.after)
        var diagnostics = before.diagnostics
        diagnostics.merge(after.diagnostics)
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        var first: [DeviceID: KeptRecord] = [:]
        let sides = kind == .newlyRejected ? (before, after) : (after, before)
        for (passing, failing) in zip(sides.0.records, sides.1.records)
        where passing.passed && !failing.passed && first[failing.device] == nil {
            first[failing.device] = failing
        }
        let redactor = question.replay.redactor
        let devices = shown.map { device in Self.json(device, first[device], redactor) }
        let json = JSONValue.ordered([
            ("version", .integer(1)), ("kind", .string(kind.rawValue)), ("total", .integer(total)),
            ("named", .boolean(all != nil)), ("offset", .integer(range.lowerBound)), ("devices", .array(devices)),
        ])
        return (json, diagnostics)
    }

    private static func records(
        of devices: [DeviceID], _ request: ReplayRequest, under account: Account
    ) -> KeptRecords {
        var request = request
        request.account = account
        return CaptureRecords(request, keys: [], devices: .devices(Set(devices))).read()
    }

    private static func json(_ device: DeviceID, _ record: KeptRecord?, _ redactor: Redactor?) -> JSONValue {
        .ordered([
            ("device", .string(redactor?.name(of: device) ?? device.description)),
            ("time", record.map { .string($0.time.description) } ?? .null),
            ("rejections", .array((record?.rejections ?? []).map(JSONValue.string))),
            ("flags", .array((record?.flags ?? []).map(JSONValue.string))),
        ])
    }
}
