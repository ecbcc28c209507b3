import PolicyEngine

/// A value, and a filter whose search of it reaches its limit (R7.2), so that devices with the value are not evaluated.
enum UnsearchedValue {
    private static let key = "remark"
    /// A value that is too long to be searched quickly.
    static let value = String(repeating: "a", count: 4200)
    /// A pattern whose search of it soon reaches the limit, as each of its steps may run over many characters.
    static let pattern = "a[^a]|y{60000}"

    /// Adds the filter to an account.
    static func filtered(_ account: Account) throws -> Account {
        var account = account
        let other = try AccountText.account(
            "filters: [{name: unsearched, key: \(key), regex: '\(pattern)', reject: true}]")
        for filter in other.filters { try account.append(filter) }
        return account
    }

    /// Gives the value to some records of about a third of the devices.
    ///
    /// - Returns: The devices that have it.
    static func add(to records: inout [CapturedRecord], seed: UInt64) -> Set<String> {
        var chance = Chance(seed: seed)
        let devices = chance.some(of: Set(records.map(\.device)).sorted(), 33)
        var given: Set<String> = []
        for index in records.indices where devices.contains(records[index].device) && chance.happens(15) {
            records[index].attributes[key] = value
            given.insert(records[index].device)
        }
        return given
    }
}
