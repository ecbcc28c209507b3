package import Documents
package import PolicyEngine

/// The verdicts on labelled devices, under the account as it is and under others.
package struct LabelFigures: Figure, Addable, Hashable {
    /// The number of labels.
    package var labels = 0
    /// The labels that fit no record, in the order of their file.
    package var unmatched: [Unmatched] = []
    /// The labels that contradict each other; then nothing else is of use.
    package var contradictions: [Contradiction] = []
    /// The devices that the account as it is let through by another policy than its own.
    package var exempted = Exempted()
    /// The verdicts of the account as it is, and then of each other account.
    package var lanes: [LabelLane] = []

    package static let fields: [FigureField<LabelFigures>] = [
        .value("labels", \.labels), .value("unmatched", \.unmatched) { $0.keepUnmatched($1.unmatched) },
        .set("contradictions", \.contradictions, as: .none), .sum("exempted", \.exempted), .sum("lanes", \.lanes),
    ]

    package init() {}

    // A label fits no record if it fits none of any device.
    private mutating func keepUnmatched(_ others: [Unmatched]) {
        let lines = Set(others.map(\.line))
        unmatched.removeAll { !lines.contains($0.line) }
    }

    /// A label that fits no record.
    package struct Unmatched: Figure, Hashable {
        /// The line of its file, from 1.
        package var line = 0
        package var attribute = ""
        package var value = ""
        package var label = DeviceLabel.unknown

        package static let fields: [FigureField<Unmatched>] = [
            .value("line", \.line, "The line of the label in its file, from 1."),
            .value("attribute", \.attribute, "The attribute that the label looks at."),
            .value("value", \.value, "The value of the attribute."),
            .value("label", \.label, "The label."),
        ]

        package init() {}
    }

    /// Two labels that fit attestations of the same devices, and of which one says bad and the other good.
    package struct Contradiction: Figure, Addable, Keyed, Hashable {
        /// The lines of their file, from 1.
        package var bad = 0
        package var good = 0
        /// The number of devices that both fit.
        package var devices = 0
        /// The one of them with the smallest ID.
        package var example = DeviceID.blank

        package static let fields: [FigureField<Contradiction>] = [
            .value("bad", \.bad), .value("good", \.good), .sum("devices", \.devices),
            .value("example", \.example) { $0.keepFirst($1.example) },
        ]

        package init() {}

        package var key: [Int] { [bad, good] }

        private mutating func keepFirst(_ other: DeviceID) {
            if ExactText(other.description) < ExactText(example.description) { example = other }
        }
    }

    /// Devices by their label.
    package struct Exempted: Figure, Addable, Hashable {
        package var bad = 0
        package var good = 0
        package var unknown = 0

        package static let fields: [FigureField<Exempted>] = [
            .sum("bad", \.bad, "Those that are labelled bad."), .sum("good", \.good, "Those that are labelled good."),
            .sum("unknown", \.unknown, "Those without a label."),
        ]

        package init() {}

        package subscript(label: DeviceLabel) -> Int {
            get { self[keyPath: Self.path(label)] }
            set { self[keyPath: Self.path(label)] = newValue }
        }

        private static func path(_ label: DeviceLabel) -> WritableKeyPath<Exempted, Int> {
            switch label {
            case .bad: \.bad
            case .good: \.good
            case .unknown: \.unknown
            }
        }
    }
}

/// The verdicts of one account on labelled devices.
package struct LabelLane: Figure, Addable, Keyed, Hashable {
    /// 0 for the account as it is, 1 and so on for others.
    package var number = 0
    package var bad = LabelCounts()
    package var good = LabelCounts()
    package var unknown = LabelCounts()

    package static let fields: [FigureField<LabelLane>] = [
        .value("number", \.number), .sum("bad", \.bad), .sum("good", \.good), .sum("unknown", \.unknown),
    ]

    package init() {}

    package var key: Int { number }

    /// The counts of the devices with a label.
    package subscript(label: DeviceLabel) -> LabelCounts {
        get { self[keyPath: Self.path(label)] }
        set { self[keyPath: Self.path(label)] = newValue }
    }

    private static func path(_ label: DeviceLabel) -> WritableKeyPath<LabelLane, LabelCounts> {
        switch label {
        case .bad: \.bad
        case .good: \.good
        case .unknown: \.unknown
        }
    }

    /// True if the verdicts on all labelled devices are known.
    package var isExact: Bool { bad.unevaluated + good.unevaluated == 0 }

    /// The number of good devices that are or may be rejected.
    package var blockedAtMost: Int { good.rejectedAtMost }
}

/// The verdicts of an account on devices with one label.
///
/// A device is rejected if one of its attestations fails at least, and so is it on a day.
package struct LabelCounts: Figure, Addable, Hashable {
    /// The devices of which all verdicts are known, under this account and the one as it is.
    package var devices = 0
    /// Those that are rejected.
    package var rejected = 0
    /// Those that are rejected, and not by the account as it is.
    package var newlyRejected = 0
    /// Those that are not rejected, but are by the account as it is.
    package var noLongerRejected = 0
    /// The days in UTC on which the devices attested, of all devices together.
    package var days = 0
    /// Those on which they are rejected.
    package var rejectedDays = 0
    /// Those on which they are rejected by the account as it is.
    package var rejectedDaysBefore = 0
    /// The devices of which some verdict is not known; they are in none of the other counts.
    package var unevaluated = 0

    package static let fields: [FigureField<LabelCounts>] = [
        .sum("devices", \.devices), .sum("rejected", \.rejected), .sum("newly-rejected", \.newlyRejected),
        .sum("no-longer-rejected", \.noLongerRejected), .sum("days", \.days), .sum("rejected-days", \.rejectedDays),
        .sum("rejected-days-before", \.rejectedDaysBefore), .sum("unevaluated", \.unevaluated),
    ]

    package init() {}

    /// The devices that are or may be rejected.
    package var rejectedAtMost: Int { rejected + unevaluated }

    /// The devices that are not rejected.
    package var passed: Int { devices - rejected }

    // Products of counts and costs must fit.
    package var isPossible: Bool {
        0...devices ~= rejected && 0...days ~= rejectedDays && 0...days ~= rejectedDaysBefore
    }
}

/// The class that labels give a device.
package enum DeviceLabel: String, Hashable, Sendable, CaseIterable {
    case bad, good
    /// No label fits the device: it may be either.
    case unknown
}

extension DeviceLabel: FigureValue {}

extension LabelFigures {
    /// The labels that contradict each other, as errors.
    ///
    /// - Parameter path: The file of the labels.
    package func problems(in path: String) -> [Diagnostic] {
        contradictions.sorted { ($0.bad, $0.good) < ($1.bad, $1.good) }.map { pair in
            let others = pair.devices - 1
            return Diagnostic(
                file: path, line: max(pair.bad, pair.good),
                message:
                    "the labels of lines \(min(pair.bad, pair.good)) and \(max(pair.bad, pair.good)) contradict each "
                    + "other: one says bad and the other good of device \(pair.example)"
                    + (others > 0 ? " and \(others.grouped) \(others == 1 ? "other" : "others")" : ""),
                hint: "a device has one label in all captures together, whatever the attributes and times of labels are"
            )
        }
    }
}
