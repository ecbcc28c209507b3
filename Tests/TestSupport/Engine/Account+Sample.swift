internal import PolicyEngine

extension Account {
    /// The account of the samples: changes are in force at once, so that tests of other rules need not wait.
    static func sample(
        _ policy: String = "default,default,default",
        declaring flags: [FlagDeclaration] = [],
        rules: [String] = [],
        filters: [Filter] = [],
        devices: [DeviceEntry] = []
    ) throws -> Account {
        var account = try Account(name: Sample.accountName, declaring: flags)
        account.propagation = 0
        account.declaredRules = rules
        account.policy = try account.securityPolicy(policy)
        for filter in filters { try account.append(filter) }
        for device in devices { try account.append(device) }
        return account
    }

    /// A copy with one thing changed.
    func changed(_ change: (inout Account) throws -> Void) rethrows -> Account {
        var copy = self
        try change(&copy)
        return copy
    }

    /// The entry of a device.
    func entry(
        _ device: String = Sample.device,
        _ policy: String? = nil,
        banMode: BanMode? = nil
    ) throws -> DeviceEntry {
        guard let identifier = DeviceID(device) else { throw TestFailure("no device ID: \(device)") }
        let known = identifier.isFilteredPolicy
        let own = try policy.map { try known ? filteredSecurityPolicy($0) : securityPolicy($0) }
        return DeviceEntry(id: identifier, policy: own, banMode: banMode)
    }

    /// A flag of the account's catalogue.
    func flag(_ name: String) throws -> Flag {
        guard let flag = catalogue.flag(named: name) else { throw TestFailure("no flag: \(name)") }
        return flag
    }
}

extension Filter {
    /// A filter that wants one value exactly.
    static func exact(_ name: String, _ key: String, _ value: String, _ options: Options = []) throws -> Filter {
        try Filter(name: name, test: .exact(key: key, value: value), options: options)
    }

    /// A filter that searches a pattern.
    static func regex(_ name: String, _ key: String, _ pattern: String, _ options: Options = []) throws -> Filter {
        try Filter(name: name, test: .regex(key: key, pattern: try Pattern(pattern)), options: options)
    }

    /// A conjunction.
    static func conjunction(_ name: String, _ inputs: [String], _ options: Options = []) throws -> Filter {
        try Filter(name: name, test: .conjunction(inputs), options: options)
    }
}
