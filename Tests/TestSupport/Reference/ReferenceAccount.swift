internal import PolicyEngine

/// An account in words.
struct ReferenceAccount: Hashable, Sendable {
    var name: String
    var flags: [ReferenceFlag] = []
    var policy = ReferencePolicy()
    /// Thousandths of a percent: 100 000 is everything.
    var sampledThousandths = 0
    var propagation = 0
    var grace = 10
    var filters: [ReferenceFilter] = []
    var devices: [ReferenceDevice] = []

    /// The rule sets beside `default`.
    static let declaredRules = ["alt-rules", "third-rules"]
}

/// A security policy in words.
struct ReferencePolicy: Hashable, Sendable {
    var rules = "default"
    var preset = "default"
    var edits: [ReferenceEdit] = []
    var annotation = "default"

    /// `rules,rejection,annotation`, as reports show it (R3.1, R4.4).
    var text: String { "\(rules),\(edits.isEmpty ? preset : "custom"),\(annotation)" }
}

/// A flag added to a rejection policy by hand, or removed from it (R4.4).
struct ReferenceEdit: Hashable, Sendable {
    let adds: Bool
    let flag: String
}

/// A flag that an account declares (R2.2).
struct ReferenceFlag: Hashable, Sendable {
    let name: String
    let isRisk: Bool
}

/// A device with settings of its own (R6.1).
struct ReferenceDevice: Hashable, Sendable {
    let device: String
    var policy: ReferencePolicy?
    /// `ban`, `unban`, or nothing.
    var banMode: String?
}

extension Account {
    /// The engine's account that a reference account describes.
    init(_ reference: ReferenceAccount) throws {
        let flags = reference.flags.map { FlagDeclaration(name: $0.name, isRisk: $0.isRisk) }
        try self.init(name: reference.name, declaring: flags)
        declaredRules = ReferenceAccount.declaredRules
        policy = try securityPolicy(reference.policy)
        propagation = reference.propagation
        grace = reference.grace
        guard let percentage = Percentage(Self.percent(reference.sampledThousandths)) else {
            throw TestFailure("no percentage: \(reference.sampledThousandths)")
        }
        samplingPercentage = percentage
        for filter in reference.filters { try append(Filter(filter)) }
        for device in reference.devices {
            var made = try entry(device.device, banMode: device.banMode.flatMap(BanMode.init(rawValue:)))
            made.policy = try device.policy.map { try securityPolicy($0) }
            try append(made)
        }
    }

    private func securityPolicy(_ reference: ReferencePolicy) throws -> SecurityPolicy {
        var made = try securityPolicy("\(reference.rules),\(reference.preset),\(reference.annotation)")
        for edit in reference.edits {
            let flag = try flag(edit.flag)
            if edit.adds { made.rejection.addRejectFlag(flag) } else { made.rejection.removeRejectFlag(flag) }
        }
        return made
    }

    private static func percent(_ thousandths: Int) -> String {
        let fraction = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(fraction)"
    }
}
