import Documents
import Testing

@testable import Editor
@testable import TestSupport

/// Positions are those of clients and of the parser, whatever is before them.
@Suite struct TextPositionTests {
    @Test func emojiTabsAndLineBreaksInEachEncoding() {
        let positions = TextPositions(Array("a😀\tb\r\né: c\rx\n".utf8))
        func place(_ byte: Int) -> [TextPosition] {
            [PositionEncoding.utf8, .utf16, .utf32].map { positions.position(ofByte: byte, $0) }
        }
        func at(_ line: Int, _ characters: Int...) -> [TextPosition] {
            characters.map { TextPosition(line: line, character: $0) }
        }
        // `b` is behind five bytes, three UTF-16 units and two characters, and a tab.
        expect(place(6), equals: at(0, 6, 4, 3))
        expect(place(7), equals: at(0, 7, 5, 4))
        // `c` is behind `é`, which has two bytes, and `: `.
        expect(place(13), equals: at(1, 4, 3, 3))
        expect(place(15), equals: at(2, 0, 0, 0))
        expect(place(17), equals: at(3, 0, 0, 0))
        expect(positions.byte(at: TextPosition(line: 0, character: 4), .utf16), equals: 6)
        expect(positions.byte(at: TextPosition(line: 0, character: 2), .utf16), equals: 1, "not within a character")
        expect(positions.byte(at: TextPosition(line: 0, character: 99), .utf16), equals: 7, "the end of the line")
        expect(positions.byte(at: TextPosition(line: 9, character: 0), .utf16), equals: 17, "the end of the text")
    }

    @Test func theParserCountsOtherLinesAndNoMark() {
        let text = "\u{FEFF}a: \u{85}b: 😀\u{2028}c: d\n"
        let positions = TextPositions(Array(text.utf8))
        let lines = ParserLines(positions)
        let byte = lines.byte(at: SourcePosition(line: 3, column: 4))
        expect(positions.text(byte..<byte + 1), equals: "d")
        // To the client all of it is one line: the mark, `a: `, U+0085, `b: `, two units of the emoji, U+2028 and `c: `.
        expect(
            positions.position(ofByte: byte, .utf16),
            equals: TextPosition(line: 0, character: 1 + 3 + 1 + 3 + 2 + 1 + 3))
    }

    /// Against the indices of the standard library.
    @Test func randomTextsAsTheStandardLibraryHasThem() {
        var chance = Chance(seed: 33)
        for _ in 0..<300 {
            let text = (0..<chance.below(600)).map { _ in
                chance.pick(["a", "é", "😀", "\t", "\n", "\r\n", "\r", "\u{2028}", "x"])
            }
            .joined()
            let positions = TextPositions(Array(text.utf8))
            // Scalars: the byte of each, and back.
            var (byte, index) = (0, 0)
            for scalar in text.unicodeScalars {
                expect(positions.byte(ofScalar: index), equals: byte)
                expect(positions.scalar(ofByte: byte), equals: index)
                let position = positions.position(ofByte: byte, .utf16)
                // Between CR and LF there is no position.
                if scalar != "\n" { expect(positions.byte(at: position, .utf16), equals: byte) }
                (byte, index) = (byte + String(scalar).utf8.count, index + 1)
            }
            let breaks = text.replacing("\r\n", with: "\n").unicodeScalars.count { $0 == "\n" || $0 == "\r" }
            expect(positions.lineCount, equals: breaks + 1)
        }
    }
}
