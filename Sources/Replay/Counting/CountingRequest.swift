/// Which attributes are counted by value, and how much memory that may take.
package struct CountingRequest: Hashable, Sendable {
    /// The keys, in the order in which they are reported.
    package var keys: [RecordKey]
    /// The number of values of each that are reported.
    package var top: Int
    /// The number of values of an attribute that are kept where it has too many.
    package var keptValues = 250_000
    /// The number of bytes of values that are kept of an attribute where it has too many.
    package var keptBytes = 64 * 1024 * 1024
    /// The number of pairs of a value and a device that are kept beside the first value of each device.
    package var keptPairs = 4_000_000
    /// Records after which the counts of all shards come together.
    package var chunk = 65_536

    package init(keys: [RecordKey], top: Int) {
        (self.keys, self.top) = (keys, top)
    }

    package init(attributes: [String], top: Int) {
        self.init(keys: attributes.map { RecordKey(attribute: $0) }, top: top)
    }
}
