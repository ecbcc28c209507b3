/// A property flag by its place in the catalogue (R2.1); its name is known only at the edges.
public struct Flag: Hashable, Comparable, Sendable {
    /// 0 through 127: first the catalogue of the manual, then flags that an account declares, then unknown ones in
    /// order of first sight (R2.3).
    public let place: UInt8

    /// How many flags there can be in all (R2.2, R16).
    public static let limit = 128

    /// Makes the flag at a place.
    ///
    /// - Parameter place: 0 through 127.
    @inlinable init(place: UInt8) {
        self.place = place
    }

    /// The bit of this flag in a ``FlagSet``.
    @inlinable var bit: UInt128 { 1 << UInt128(place) }

    /// Whether the left flag comes first in the catalogue.
    public static func < (left: Flag, right: Flag) -> Bool { left.place < right.place }
}
