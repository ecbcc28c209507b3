internal import PolicyEngine

/// Counts the fetches of each device.
package struct FetchCounter: Sendable {
    private var devices = DeviceTable()
    private var counts: [Int] = []
    private var span: ClosedRange<Instant>?

    mutating func count(_ id: DeviceID, at time: Instant?) {
        let device = devices.intern(id)
        if device.offset == counts.count { counts.append(0) }
        counts[device.offset] += 1
        guard let time else { return }
        span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    /// The devices that fetched.
    var identifiers: [DeviceID] { counts.indices.map { devices[DeviceIndex(offset: $0)] } }

    /// How often a device fetched.
    func count(of id: DeviceID) -> Int { devices.index(of: id).map { counts[$0.offset] } ?? 0 }

    /// What was counted.
    ///
    /// - Parameter verdict: The verdict of a device's latest attestation, `nil` for one that never attested; without
    ///   it the fetches are not weighed.
    func figures(verdict: ((DeviceID) -> Bool?)?) -> FetchFigures {
        var figures = FetchFigures()
        figures.total = counts.reduce(0, +)
        figures.devices = counts.count
        figures.span = span
        // Ties go by the text of the ID, so that the order does not depend on that of the capture.
        let all = counts.indices.map { (devices[DeviceIndex(offset: $0)], counts[$0]) }
        let most = all.sorted { ($1.1, $0.0.description) < ($0.1, $1.0.description) }
        figures.most = most.prefix(FetchFigures.mostLimit).map { device in
            FetchFigures.Device(id: device.0, fetches: device.1, passed: verdict.flatMap { $0(device.0) })
        }
        guard let verdict else { return figures }
        figures.weights = all.reduce(into: FetchFigures.Weights()) { weights, device in
            switch verdict(device.0) {
            case true?: weights.passed += device.1
            case false?: weights.failed += device.1
            case nil: weights.unknown += device.1
            }
        }
        return figures
    }
}
