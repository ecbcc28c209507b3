/// A property flag by its index in the catalogue (R2.1); its name is known only at the edges.
public struct Flag: Hashable, Comparable, Sendable {
    /// 0 through 127: first the catalogue of the manual, then flags that an account declares, then unknown ones in
    /// order of first sight (R2.3).
    @usableFromInline package let index: UInt8

    /// The largest number of flags (R2.2, R16).
    package static let limit = 128

    /// Makes the flag at an index.
    ///
    /// - Parameter index: 0 through 127.
    @inlinable package init(index: UInt8) {
        self.index = index
    }

    /// The bit of this flag in a ``FlagSet``.
    @inlinable package var bit: UInt128 { (1 as UInt128) &<< UInt128(truncatingIfNeeded: index) }

    /// True if the left flag comes first in the catalogue.
    public static func < (left: Flag, right: Flag) -> Bool { left.index < right.index }
}
