import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Sets of flags and of filters") struct FlagSetTests {
    struct Row: LabelledRow {
        let label: String
        let left: Set<UInt8>
        let right: Set<UInt8>
    }

    static let rows = [
        Row(label: "both empty", left: [], right: []),
        Row(label: "one empty", left: [0, 63, 64, 127], right: []),
        Row(label: "the same", left: [0, 127], right: [0, 127]),
        Row(label: "apart", left: [0, 63], right: [64, 127]),
        Row(label: "overlapping", left: [1, 2, 3, 100], right: [3, 100, 101]),
        Row(label: "one inside the other", left: [5, 70, 90], right: [70]),
        Row(label: "full", left: Set(0...127), right: [31, 32, 33]),
    ]

    @Test("a set of flags does what a set does", arguments: rows) func behavesAsASet(_ row: Row) {
        let (left, right) = (Self.flags(row.left), Self.flags(row.right))
        #expect(Self.positions(left.union(right)) == row.left.union(row.right).sorted())
        #expect(Self.positions(left.intersection(right)) == row.left.intersection(row.right).sorted())
        #expect(Self.positions(left.subtracting(right)) == row.left.subtracting(row.right).sorted())
        #expect(left.isSuperset(of: right) == row.left.isSuperset(of: row.right))
        #expect(left.isEmpty == row.left.isEmpty)
        #expect(left.count == row.left.count)
        #expect((left == right) == (row.left == row.right))
        #expect((0...127).allSatisfy { left.contains(Flag(index: $0)) == row.left.contains($0) })
    }

    @Test("flags are put in and taken out one by one") func insertAndRemove() {
        var set = FlagSet.empty
        for position in [UInt8(127), 0, 64, 63, 64] { set.insert(Flag(index: position)) }
        #expect(Self.positions(set) == [0, 63, 64, 127])
        set.remove(Flag(index: 63))
        set.remove(Flag(index: 5))
        #expect(Self.positions(set) == [0, 64, 127])
        #expect(FlagSet(bits: 1 << 127 | 1).bits == (FlagSet([Flag(index: 127), Flag(index: 0)])).bits)
        #expect(Flag(index: 3) < Flag(index: 4))
    }

    @Test("a set of filters does what a set does") func filterSets() {
        var (left, right) = (FilterSet.empty, FilterSet.empty)
        for position in [24, 0, 7, 7] { left.insert(position) }
        for position in [7, 8] { right.insert(position) }
        #expect(Array(left) == [0, 7, 24])
        #expect(Array(left.union(right)) == [0, 7, 8, 24])
        #expect(Array(left.intersection(right)) == [7])
        #expect(Array(left.subtracting(right)) == [0, 24])
        #expect(!left.isSuperset(of: right))
        #expect(left.isSuperset(of: .empty))
        #expect(left.contains(24) && !left.contains(23))
        #expect(FilterSet.empty.isEmpty && !left.isEmpty)
    }

    private static func flags(_ positions: Set<UInt8>) -> FlagSet { FlagSet(positions.map(Flag.init(index:))) }

    private static func positions(_ set: FlagSet) -> [UInt8] { set.map(\.index) }
}
