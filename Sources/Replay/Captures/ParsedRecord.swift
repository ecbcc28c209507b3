package import PolicyEngine

/// A record of a capture on its way to the device that it is about.
package struct ParsedRecord<Matches: Sendable>: Sendable {
    package let head: RecordHead
    package var flags: FlagSet
    /// What its attributes came to.
    package let matches: Matches
}
