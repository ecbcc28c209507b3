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

    /// The order of the devices.
    package enum Order: String, CaseIterable, Sendable {
        /// By their IDs.
        case device
        /// By the names of the reasons for which they do not pass, then by time.
        case reason
        /// By the time of the first attestation that turns.
        case time
    }

    private let kind: Kind
    private let labels: Labels?
    // In the order of their IDs; `nil` where there are too many.
    private let all: [DeviceID]?
    private let total: Int

    /// Takes the devices from a comparison.
    ///
    /// - Parameter labels: The labels of devices; `nil` for none.
    package init(_ kind: Kind, of comparison: Comparison, labels: Labels? = nil) {
        (self.kind, self.labels) = (kind, labels)
        let changes = kind == .newlyRejected ? comparison.changes.rejected : comparison.changes.accepted
        total = changes.devices
        all = changes.known.all?.map { ($0, $0.description) }.sorted { $0.1 < $1.1 }.map { $0.0 }
    }

    /// A page of them as JSON.
    ///
    /// - Parameters:
    ///   - range: The places of the devices on the page, counted from 0.
    ///   - order: The order of all devices. By ID, only the records of the page are read.
    ///   - question: The comparison that they were taken from.
    /// - Returns: `nil` where the replay was refused or interrupted, and why.
    package func page(
        _ range: Range<Int>, _ order: Order = .device, of question: ComparisonRequest
    ) -> (json: JSONValue?, diagnostics: Diagnostics) {
        let all = all ?? []
        let range = range.clamped(to: 0..<all.count)
        let sought = order == .device ? Array(all[range]) : all
        var (turned, diagnostics) = turned(sought, question)
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        let shown = order == .device ? sought : Array(Self.sorted(all, order, turned)[range])
        let details = details(of: shown, question.replay)
        diagnostics.merge(details.diagnostics)
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        let labelled = labels.map { LabelledDevices($0, details.records) }
        let numbers = Set(shown.compactMap { turned[$0]?.index })
        let attributed = details.records.filter { numbers.contains($0.index) }
        let attributes = Dictionary(attributed.map { ($0.device, $0) }) { first, _ in first }
        let devices = shown.map { device in
            Self.json(
                device, turned[device], attributes[device], labelled?[device], redactor: question.replay.redactor)
        }
        let json = JSONValue.ordered([
            ("version", .integer(1)), ("kind", .string(kind.rawValue)), ("total", .integer(total)),
            ("named", .boolean(self.all != nil)), ("order", .string(order.rawValue)),
            ("offset", .integer(range.lowerBound)), ("devices", .array(devices)),
        ])
        return (json, diagnostics)
    }

    // The first attestation of each device that turns, as the side decides that does not pass it.
    private func turned(
        _ devices: [DeviceID], _ question: ComparisonRequest
    ) -> (first: [DeviceID: KeptRecord], diagnostics: Diagnostics) {
        let before = Self.records(of: devices, question.replay, under: question.replay.account)
        let after = Self.records(of: devices, question.replay, under: question.after)
        var diagnostics = before.diagnostics
        diagnostics.merge(after.diagnostics)
        var first: [DeviceID: KeptRecord] = [:]
        let sides = kind == .newlyRejected ? (before, after) : (after, before)
        for (passing, failing) in zip(sides.0.records, sides.1.records)
        where passing.passed && !failing.passed && first[failing.device] == nil {
            first[failing.device] = failing
        }
        return (first, diagnostics)
    }

    // Devices that are equal in this order stay in the order of their IDs.
    private static func sorted(
        _ devices: [DeviceID], _ order: Order, _ turned: [DeviceID: KeptRecord]
    ) -> [DeviceID] {
        let places = devices.enumerated().map { place, device in
            let record = turned[device]
            let reasons = order == .reason ? record?.rejections.joined(separator: ",") ?? "" : ""
            return (device: device, reasons: reasons, index: record?.index ?? .max, place: place)
        }
        return places.sorted {
            ($0.reasons, $0.index, $0.place) < ($1.reasons, $1.index, $1.place)
        }.map(\.device)
    }

    private static func records(
        of devices: [DeviceID], _ request: ReplayRequest, under account: Account
    ) -> KeptRecords {
        var request = request
        request.account = account
        return CaptureRecords(request, keys: [], devices: .devices(Set(devices))).read()
    }

    // MARK: Attributes

    // The member of each, and the key that its value follows from.
    private static let shownKeys = ["model", "os-version", "app-version"].compactMap { try? RecordKey($0) }

    // The records of a page with their attributes.
    private func details(of devices: [DeviceID], _ request: ReplayRequest) -> KeptRecords {
        let keys = Self.shownKeys.map(\.attribute) + (labels?.keys ?? [])
        let distinct = keys.enumerated().filter { keys[..<$0.offset].contains($0.element) == false }.map(\.element)
        return CaptureRecords(request, keys: distinct, devices: .devices(Set(devices))).read()
    }

    private static func json(
        _ device: DeviceID, _ record: KeptRecord?, _ attributed: KeptRecord?, _ label: DeviceLabel?,
        redactor: Redactor?
    ) -> JSONValue {
        let values = shownKeys.map { key in
            let text = value(key, of: attributed).map { redactor?.value($0, of: key.text) ?? $0 }
            return (key.text, text.map(JSONValue.string) ?? .null)
        }
        let known = label.flatMap { $0 == .unknown ? nil : $0 }
        let members: [(String, JSONValue)] =
            [
                ("device", .string(redactor?.name(of: device) ?? device.description)),
                ("time", record.map { .string($0.time.description) } ?? .null),
                ("rejections", .array((record?.rejections ?? []).map(JSONValue.string))),
                ("flags", .array((record?.flags ?? []).map(JSONValue.string))),
            ] + values + [("label", known.map { .string($0.rawValue) } ?? .null)]
        return .ordered(members)
    }

    private static func value(_ key: RecordKey, of record: KeptRecord?) -> String? {
        guard let text = record?.attribute(key.attribute), let bytes = key.value(of: Array(text.utf8)) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
