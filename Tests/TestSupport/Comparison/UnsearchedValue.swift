import PolicyEngine

/// A value that is too long to be searched quickly, and a filter that searches it: with a budget of ``budget`` the search is
/// given up (R7.2), so that devices with the value are not evaluated.
enum UnsearchedValue {
    /// The budget of searches that is enough for none.
    static let budget = 1
    private static let key = "remark"
    private static let value = String(repeating: "hay ", count: 1100) + "needle"

    /// Adds the filter to an account.
    static func filtered(_ account: Account) throws -> Account {
        var account = account
        let other = try AccountText.account(
            "filters: [{name: unsearched, key: \(key), regex: 'needle$', reject: true}]")
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
