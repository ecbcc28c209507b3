import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R13.1 The system of a device") struct OperatingSystemTests {
    struct Row: LabelledRow {
        let device: String
        let system: OperatingSystem
        let metric: String

        var testDescription: String { "`\(device)`" }
    }

    static let rows = [
        Row(device: "Android 8.1.0, Nexus 5X, google, bullhead, en", system: .android, metric: "and"),
        Row(device: "Android", system: .android, metric: "and"),
        Row(device: "iOS, 12.1.2, iPhone7,2, en_ES", system: .ios, metric: "ios"),
        Row(device: "iOS", system: .ios, metric: "ios"),
        Row(device: "", system: .unknown, metric: "unknown"),
        Row(device: "android 8", system: .unknown, metric: "unknown"),
        Row(device: " iOS", system: .unknown, metric: "unknown"),
        Row(device: "iO", system: .unknown, metric: "unknown"),
        Row(device: "Windows", system: .unknown, metric: "unknown"),
    ]

    @Test("R13.1 the system is told by how the device attribute begins", arguments: rows)
    func systemIsTold(_ row: Row) {
        let system = OperatingSystem(deviceAttribute: Array(row.device.utf8).span)
        #expect(system == row.system)
        #expect(system.metricName == row.metric)
    }
}
