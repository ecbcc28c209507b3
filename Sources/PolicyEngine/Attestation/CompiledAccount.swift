/// An account made ready to judge: names turned into masks and numbers, once for each revision.
struct CompiledAccount: Sendable {
    /// What the account says of a device with an entry of its own.
    struct Entry: Sendable {
        let device: DeviceIndex
        let policy: PolicyNumber?
        let banMode: BanMode?
        let pinMode: PinMode?
    }

    /// The policies that can be applied; the first is the account's.
    private(set) var policies: [SecurityPolicy]
    /// The entries of devices; a ``DeviceState`` names its own by number.
    private(set) var entries: [Entry] = []
    /// The filtered policy, where it has an effect (R7.3).
    private(set) var filteredPolicy: PolicyNumber?
    /// The filters.
    var filters: FilterProgram
    let name: String
    let samplingPercentage: Percentage
    let grace: Int
    let riskFlags: FlagSet

    init(_ account: Account, symbols: inout SymbolTable) {
        name = account.name
        samplingPercentage = account.samplingPercentage
        grace = account.grace
        riskFlags = account.catalogue.riskFlags
        policies = [account.policy]
        filters = FilterProgram(account.filters, attributes: &symbols.attributes)
        filteredPolicy = account.effectiveFilteredPolicy.map { add($0) }
        for entry in account.devices where !entry.id.isFilteredPolicy {
            let policy = entry.policy.map { add($0) }
            let device = symbols.devices.intern(entry.id)
            entries.append(Entry(device: device, policy: policy, banMode: entry.banMode, pinMode: entry.pinMode))
        }
    }

    private mutating func add(_ policy: SecurityPolicy) -> PolicyNumber {
        policies.append(policy)
        return PolicyNumber(number: UInt8(policies.count - 1))
    }

    subscript(policy: PolicyNumber) -> SecurityPolicy { policies[Int(policy.number)] }
}
