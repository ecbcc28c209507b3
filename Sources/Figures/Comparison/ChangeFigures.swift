package import Documents
package import PolicyEngine

/// The attestations whose verdict a change turns one way.
package struct ChangeFigures: Figure, Addable {
    /// The number of attestations, or of fetches of a scenario.
    package var events = 0
    /// The number of attestations among them.
    package var attestations = 0
    /// The number of their devices.
    package var devices = 0
    /// The fetches by those devices, where a capture of fetches weighs them; of a scenario, those that change.
    package var fetches: Int?
    /// By what they have in common; in each the largest first.
    package var splits: [Split] = []
    /// One device for each different reason, the commonest reasons first.
    package var examples: [Example] = []
    /// Which devices they are, so that a later comparison knows them.
    package var known = KnownDevices([])

    /// The maximum number of examples that are kept.
    package static let exampleLimit = 10

    package static let fields: [FigureField<ChangeFigures>] = [
        .sum("events", \.events, as: .none), .sum("attestations", \.attestations, "Attestations that are turned."),
        .sum("devices", \.devices, "Their devices."),
        .sum(
            "fetches", \.fetches,
            "Fetches by these devices, or those of a scenario that are turned; null where nothing weighs devices."),
        .set("splits", \.splits, as: .none),
        .set("examples", \.examples, "A device for each different reason, the commonest reasons first."),
        .sum("known", \.known, as: .none),
    ]

    package init() {}

    package static var reportedForm: JSONSchema {
        let (members, optional) = reportedFields()
        let parts = Kind.allCases.map { kind in
            (name: kind.rawValue + "s", schema: [Part].reportedForm.described(as: "The same by \(kind.meaning)."))
        }
        // Not all reports name the devices.
        let form = JSONSchema.list(of: .string).orNull
        let names = (
            name: "device-names",
            schema: form.described(as: "Names that stand for all of these devices; null where they are too many.")
        )
        return .members(members + parts, optional: optional + [names])
    }

    package func reportedMembers(_ unit: ComparedUnit) -> [ExactText: JSONValue] {
        var members = memberFields(unit)
        for kind in Kind.allCases {
            let parts = splits.first { $0.kind == kind }?.parts ?? []
            members[ExactText(kind.rawValue + "s")] = parts.reported(unit)
        }
        return members
    }

    /// The ways in which a change is split up, in the order of reports.
    package enum Kind: String, FigureValue, Hashable, CaseIterable, Sendable {
        /// A flag that rejects, on the side that rejects.
        case flag
        /// A filter that rejects there.
        case filter
        /// Another reason there: a policy that rejects everything, or no token at all.
        case other
        case app
        case version
        case system

        /// The parts in words.
        fileprivate var meaning: String {
            switch self {
            case .flag: "flag that rejects"
            case .filter: "filter that rejects"
            case .other: "other reason"
            case .app: "app"
            case .version: "version of an app"
            case .system: "operating system"
            }
        }
    }

    /// The devices whose verdict changes, as long as there are not too many to be named.
    package struct KnownDevices: FigureValue, Addable, Hashable, Sendable {
        /// In no order; `nil` where there are more than ``limit``.
        package private(set) var all: [DeviceID]?

        /// The maximum number of devices that are named.
        package static let limit = 100_000

        package init(_ devices: some Collection<DeviceID>) {
            all = devices.count <= Self.limit ? Array(devices) : nil
        }

        /// In the order of their IDs, so that equal inputs give equal bytes.
        package var partial: JSONValue { all.map { $0.map(\.description).sorted() }.partial }

        package init?(partial content: JSONContent) {
            guard let devices = [DeviceID]?(partial: content) else { return nil }
            self.init(devices ?? [])
            if devices == nil { all = nil }
        }

        package mutating func add(_ other: KnownDevices) {
            guard let mine = all, let its = other.all, mine.count + its.count <= Self.limit else {
                all = nil
                return
            }
            all = mine + its
        }
    }

    /// The parts of the changes, by one kind of cause.
    package struct Split: Figure, Addable, Keyed {
        package var kind = Kind.other
        package var parts: [Part] = []

        package static let fields: [FigureField<Split>] = [.value("kind", \.kind), .set("parts", \.parts)]

        package init() {}

        package var key: Kind { kind }
    }

    /// One part of a split.
    package struct Part: FirstSeen, Hashable {
        package var name = ""
        package var events = 0
        package var attestations = 0
        package var devices = 0
        /// The first device, and the number of its attestation.
        package var example = DeviceID.blank
        package var index = 0

        package static let fields: [FigureField<Part>] = [
            .value("name", \.name, "The name of the part."),
            .sum("events", \.events, "Fetches of the part.", as: .fetches),
            .sum("attestations", \.attestations, "Attestations of the part."),
            .sum("devices", \.devices, "Their devices."), .value("example", \.example, "The first of these devices."),
            .value("index", \.index, as: .none),
        ]

        package init() {}

        package var key: ExactText { ExactText(name) }
    }

    /// A device, and why its verdict changes.
    package struct Example: FirstSeen, Hashable {
        /// The number of the attestation.
        package var index = 0
        package var device = DeviceID.blank
        package var time = Instant(secondsSinceEpoch: 0)
        /// The number of attestations, or of fetches of a scenario, that changed for the same reasons.
        package var events = 0
        /// The number of attestations among them.
        package var attestations = 0
        /// The number of their devices.
        package var devices = 0
        package var flags: [String] = []
        package var before = Side()
        package var after = Side()

        package static let fields: [FigureField<Example>] = [
            .value("index", \.index, as: .none), .value("device", \.device, "The ID of the device."),
            .value("time", \.time, "When it attested."),
            .sum("events", \.events, "Fetches that are turned for the same reasons.", as: .fetches),
            .sum("attestations", \.attestations, "Attestations that are turned for the same reasons."),
            .sum("devices", \.devices, "Devices that are turned for the same reasons."),
            .value("flags", \.flags, "The flags of its attestation."),
            .value("before", \.before, "The decision before the change."),
            .value("after", \.after, "The decision after it."),
        ]

        package init() {}

        package var key: [Side] { [before, after] }
    }

    /// The decision of one side on an example.
    package struct Side: Figure, Hashable {
        /// True if there is a valid token.
        package var isValid = false
        /// The policy applied; empty where there is no token.
        package var policy = ""
        /// Why there is none, or not a valid one.
        package var reasons: [Reason] = []

        package static let fields: [FigureField<Side>] = [
            .value("valid", \.isValid, as: .none),
            .derived("verdict", "Whether there is a valid token.", .verdict) { .string($0.isValid ? "pass" : "fail") },
            .value("policy", \.policy, "The security policy that was applied; empty where there is no token."),
            .value("reasons", \.reasons, "Why there is no valid token.", as: .named("rejections")),
        ]

        package init() {}
    }

    /// Why one side gives no valid token.
    package enum Reason: FigureValue, Hashable, Sendable {
        /// The token is not valid for this cause.
        case rejection(Rejection)
        /// There is no token, or not what a call asked for; it ended so for the app.
        case result(CallResult)

        /// The name of the cause, such as `filter:myip`, or `result:NO_NETWORK`.
        package var name: String {
            switch self {
            case .rejection(let rejection): rejection.name
            case .result(let result): "result:\(result.name)"
            }
        }

        package var partial: JSONValue {
            switch self {
            case .rejection(let rejection): .ordered([("rejection", rejection.partial)])
            case .result(let result): .ordered([("result", result.partial)])
            }
        }

        package init?(partial content: JSONContent) {
            if let result: CallResult = content.member("result") {
                self = .result(result)
            } else if let rejection: Rejection = content.member("rejection") {
                self = .rejection(rejection)
            } else {
                return nil
            }
        }

        package func reported(_ unit: ComparedUnit) -> JSONValue { .string(name) }
    }
}

extension ChangeFigures {
    /// Puts what is reported first, and leaves out what is not reported.
    mutating func finish() {
        splits.sort { $0.kind.order < $1.kind.order }
        for index in splits.indices { splits[index].parts.sort(by: Self.isLarger) }
        // Those of equal count are in the order of first sight.
        examples.sort { ($1.events, $0.index) < ($0.events, $1.index) }
        examples = Array(examples.prefix(Self.exampleLimit))
    }

    private static func isLarger(_ left: Part, _ right: Part) -> Bool {
        if left.devices != right.devices { return left.devices > right.devices }
        if left.events != right.events { return left.events > right.events }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

extension ChangeFigures.Kind {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
