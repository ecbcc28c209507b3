internal import PolicyEngine

extension Filter {
    /// The engine's filter that a reference filter describes.
    init(_ reference: ReferenceFilter) throws {
        let options = reference.options.reduce(into: Options()) { $0.insert(Self.option($1)) }
        switch reference.test {
        case .exact(let key, let value): self = try .exact(reference.name, key, value, options)
        case .regex(let key, let pattern): self = try .regex(reference.name, key, pattern.source, options)
        case .conjunction(let inputs): self = try .conjunction(reference.name, inputs, options)
        }
    }

    private static func option(_ option: ReferenceFilter.Option) -> Options {
        switch option {
        case .newDevicesOnly: .newDevicesOnly
        case .capture: .captureDeviceInformation
        case .reject: .reject
        case .ban: .ban
        case .risky: .risky
        case .executesFilteredPolicy: .executeFilteredPolicy
        }
    }
}
