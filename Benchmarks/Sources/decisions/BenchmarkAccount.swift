internal import PolicyEngine

/// Accounts to measure with. Their filters reject the app versions 7.2.1, test keys, and Android 5 with the app version
/// 0.2.1, as far as there are filters of that kind.
struct BenchmarkAccount {
    /// Exact filters; the first rejects.
    var exact = 0
    /// Regexes; the first rejects.
    var regexes = 0
    /// Conjunctions; the first rejects. Two filters more, their inputs, come before them.
    var conjunctions = 0
    /// A filter on the text of all flags.
    var hasFlagFilter = false
    /// The share of devices that gets the filtered policy, which annotates; `nil` is an account without that policy.
    var sampling: Percentage?

    /// The account.
    func made() throws -> Account {
        var account = Account(name: "benchmark")
        for number in 0..<exact { try account.append(exactFilter(number)) }
        for number in 0..<regexes { try account.append(regexFilter(number)) }
        if conjunctions > 0 {
            try account.append(filter("old-app", .exact(key: "app-version", value: "0.2.1")))
            try account.append(filter("old-system", .regex(key: "device", pattern: Pattern("^Android 5"))))
        }
        for number in 0..<conjunctions {
            let test = Filter.Test.conjunction(["old-app", "old-system"])
            try account.append(filter("both-\(number)", test, rejects: number == 0))
        }
        if hasFlagFilter {
            let pattern = try Pattern("(^|,)rooted(,|$)")
            try account.append(filter("flags", .regex(key: "flags-all", pattern: pattern), rejects: true))
        }
        if let sampling { try sample(sampling, in: &account) }
        return account
    }

    private func exactFilter(_ number: Int) throws -> Filter {
        if number == 0 {
            return try filter("exact-0", .exact(key: "app-version", value: "7.2.1"), rejects: true)
        }
        let (key, value) = Self.values[number % Self.values.count]
        return try filter("exact-\(number)", .exact(key: key, value: "\(value) \(number)"))
    }

    private func regexFilter(_ number: Int) throws -> Filter {
        if number == 0 {
            let pattern = try Pattern("test-keys|userdebug")
            return try filter("regex-0", .regex(key: "device-props", pattern: pattern), rejects: true)
        }
        let (key, value) = Self.values[number % Self.values.count]
        return try filter("regex-\(number)", .regex(key: key, pattern: Pattern("(?i)^\(value).*\(number)$")))
    }

    private func filter(_ name: String, _ test: Filter.Test, rejects: Bool = false) throws -> Filter {
        try Filter(name: name, test: test, options: rejects ? .reject : [])
    }

    private func sample(_ percentage: Percentage, in account: inout Account) throws {
        guard let id = DeviceID(DeviceID.filteredPolicyText) else { return }
        // Rules of its own, which the account has, give it an effect.
        account.declaredRules = ["other"]
        let policy = try account.filteredSecurityPolicy("other,default,risk")
        try account.append(DeviceEntry(id: id, policy: policy))
        account.samplingPercentage = percentage
    }

    // The attributes that further filters look at: all of ``AttestationStream``.
    private static let values = [
        ("ip", "10"), ("device", "android"), ("archid", "arm64"), ("device-props", "model"), ("sdkid", "45"),
        ("sdk-version", "2"), ("app-name", "shop"), ("app-version", "3"), ("appid", "com"), ("app-sig", "abc"),
        ("attest-reason", "time"),
    ]
}
