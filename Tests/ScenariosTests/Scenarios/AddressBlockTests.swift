import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct AddressBlockTests {
    @Test(arguments: [
        "10.0.0.0/8", "0.0.0.0/0", "1.2.3.4/32", "10.128.0.0/9", "2001:db8::/32", "::/0", "::1/128", "fe80::/10",
    ]) func readsBlocks(text: String) {
        #expect(AddressBlock(text) != nil)
    }

    @Test(arguments: [
        "", "/", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/8/8", "10.0.0/8",
        "10.0.0.1/8", "10.64.0.0/9", "1.2.3.4/31 ", "2001:db8::1/32", "::/129", "x/8", "010.0.0.0/8",
    ]) func refusesWhatIsNone(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    struct Row: LabelledRow {
        let block: String
        /// The text that every address of it starts with.
        let start: String
    }

    static let blocks = [
        Row(block: "10.0.0.0/8", start: "10."), Row(block: "192.168.7.0/24", start: "192.168.7."),
        Row(block: "1.2.3.4/32", start: "1.2.3.4"), Row(block: "2001:db8::/32", start: "2001:db8:"),
        Row(block: "2001:db8:1:2::/64", start: "2001:db8:1:2:"), Row(block: "::1/128", start: "::1"),
    ]

    @Test(arguments: blocks) func drawsAddressesOfTheBlock(_ row: Row) throws {
        let block = try #require(AddressBlock(row.block))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let address = block.draw(&generator)
            #expect(address.hasPrefix(row.start))
        }
    }

    @Test func aPrefixInsideAByteIsKept() throws {
        let block = try #require(AddressBlock("10.128.0.0/9"))
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let bytes = block.draw(&generator).split(separator: ".").compactMap { Int($0) }
            #expect(bytes.count == 4)
            #expect(bytes[0] == 10 && 128...255 ~= bytes[1])
        }
    }

    @Test func everyAddressOfASmallBlockIsDrawn() throws {
        let block = try #require(AddressBlock("10.0.0.4/30"))
        var generator = SeededGenerator(seed: 1)
        let drawn = Set((0..<200).map { _ in block.draw(&generator) })
        #expect(drawn == ["10.0.0.4", "10.0.0.5", "10.0.0.6", "10.0.0.7"])
    }
}
