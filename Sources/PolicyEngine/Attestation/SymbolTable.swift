/// The numbering under which a stream of attestations is read: flags, device IDs, attributes and their values.
///
/// Names are turned into numbers here once, at the edge; the engine sees numbers only. Two engines that evaluate the same
/// stream share one table.
public struct SymbolTable: Sendable {
    /// The flags: those of the account's catalogue, then unknown ones in order of first sight.
    public var catalogue: FlagCatalogue
    /// The device IDs.
    public var devices: DeviceTable
    /// The attributes that filters or reports need.
    public var attributes: AttributeTable

    /// Makes a table that knows the flags of a catalogue and nothing else.
    ///
    /// - Parameters:
    ///   - catalogue: The account's flags.
    ///   - keptValues: The number of distinct values of an attribute that are kept (see ``AttributeTable``).
    public init(catalogue: FlagCatalogue, keptValues: Int = .max) {
        self.catalogue = catalogue
        devices = DeviceTable()
        attributes = AttributeTable(capacity: keptValues)
    }
}
