package import PolicyEngine

/// The fetch counts of devices.
package struct FetchFigures: Figure, Addable, Hashable {
    /// Fetches in all.
    package var total = 0
    /// Devices that fetched.
    package var devices = 0
    /// Malformed lines that were left out.
    package var malformed = 0
    /// The first and the last time among the fetches.
    package var span: ClosedRange<Instant>?
    /// The devices that fetch most, most first; at most ``mostLimit``.
    package var most: [Device] = []
    /// The fetches by the verdict of the device's latest attestation, where a capture has it.
    package var weights: Weights?

    package static let fields: [FigureField<FetchFigures>] = [
        .sum("total", \.total, "All fetches."), .sum("devices", \.devices, "Devices that fetched."),
        .sum("malformed", \.malformed, "Malformed lines, which are left out."),
        .sum("span", \.span, as: .none),
        .derived("first", "The time of the first fetch.", .time, isOptional: true) { $0.span?.lowerBound.reported },
        .derived("last", "The time of the last fetch.", .time, isOptional: true) { $0.span?.upperBound.reported },
        .value("most", \.most, "The devices that fetch most, the one with the most fetches first.") {
            $0.most = first(of: $0.most + $1.most)
        }, .sum("weights", \.weights, as: .none),
        .derived(
            "weights", "Fetches by the verdict of the device's latest attestation.", Weights.reportedForm,
            isOptional: true
        ) { $0.weights?.reported },
    ]

    package init() {}

    /// The maximum number of devices that are named.
    package static let mostLimit = 10

    /// Those of some devices that fetch most. Ties go by the text of the ID, so that the order does not depend on that of the
    /// capture.
    package static func first(of devices: [Device]) -> [Device] {
        let sorted = devices.sorted { ($1.fetches, $0.id.description) < ($0.fetches, $1.id.description) }
        return Array(sorted.prefix(mostLimit))
    }

    package struct Device: Figure, Hashable {
        package var id = DeviceID.blank
        package var fetches = 0
        /// The verdict of its latest attestation, where a capture has it.
        package var passed: Bool?

        package static let fields: [FigureField<Device>] = [
            .value("id", \.id, "The ID of the device.", as: .named("device")),
            .value("fetches", \.fetches, "Its fetches."),
            .value("passed", \.passed, as: .none),
            .derived(
                "verdict", "The verdict of its latest attestation; null where the capture has none.", .verdict.orNull
            ) { $0.passed.map { .string($0 ? "pass" : "fail") } ?? .null },
        ]

        package init() {}
    }

    package struct Weights: Figure, Addable, Hashable {
        package var passed = 0
        package var failed = 0
        /// Fetches of devices that the capture lacks.
        package var unknown = 0

        package static let fields: [FigureField<Weights>] = [
            .sum("passed", \.passed, "Fetches of devices that passed.", as: .named("pass")),
            .sum("failed", \.failed, "Fetches of devices that failed.", as: .named("fail")),
            .sum("unknown", \.unknown, "Fetches of devices that the capture lacks."),
        ]

        package init() {}
    }
}
