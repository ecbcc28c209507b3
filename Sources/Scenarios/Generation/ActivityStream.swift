internal import Documents
internal import PolicyEngine

/// The devices of one rhythm, and how many of them attest when.
struct ActivityStream {
    /// When attestations come.
    let arrivals: Arrivals
    // By place in the table: the device's number over all groups.
    private let devices: [UInt32]
    private let table: AliasTable

    /// - Parameters:
    ///   - members: Some devices, and how often each comes up.
    ///   - arrivals: When they do.
    init(_ members: ActivityMembers, arrivals: Arrivals) {
        self.arrivals = arrivals
        devices = members.devices
        table = AliasTable(members.weights)
    }

    /// Draws who attests.
    func device(_ generator: inout SeededGenerator) -> Int { Int(devices[table.place(of: generator.next())]) }
}
