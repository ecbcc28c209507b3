internal import PolicyEngine

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
