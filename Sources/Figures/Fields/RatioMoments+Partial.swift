package import PolicyEngine
package import Statistics

// Sums of squares may be larger than other numbers of partial results, which other programs may read as floating-point
// numbers: such a sum is written as a text.
extension Int128: PartialCodable {
    package var partial: JSONValue {
        let isSmall = magnitude <= 1 << 40
        return isSmall ? .integer(Int(truncatingIfNeeded: self)) : .string(String(self))
    }

    package init(_ reader: PartialReader) throws(PartialFailure) {
        guard reader.isText else {
            self.init(try reader.integer())
            return
        }
        guard let number = Int128(try reader.text()) else { throw reader.failure("is not a whole number") }
        self = number
    }
}

extension RatioMoments: Addable, PartialCodable {
    package var partial: JSONValue {
        .ordered([
            ("devices", count.partial), ("x", numerators.partial), ("y", denominators.partial),
            ("xx", numeratorSquares.partial), ("xy", products.partial), ("yy", denominatorSquares.partial),
        ])
    }

    package init(_ reader: PartialReader) throws(PartialFailure) {
        let moments = RatioMoments(
            count: try reader["devices"], numerators: try reader["x"], denominators: try reader["y"],
            numeratorSquares: try reader["xx"], products: try reader["xy"], denominatorSquares: try reader["yy"])
        guard let moments else { throw reader.failure("has sums that no devices have") }
        self = moments
    }
}
