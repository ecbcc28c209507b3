import Foundation
import Testing

@testable import PolicyEngine

@Suite("RFC 4648 Base64") struct Base64Tests {
    @Test("every length comes back, in both alphabets") func roundTrip() throws {
        for count in 0..<130 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            #expect(Base64.text(of: bytes) == Data(bytes).base64EncodedString())
            for alphabet in [Base64.Alphabet.standard, .url] {
                #expect(Base64.bytes(of: Base64.text(of: bytes, alphabet), alphabet) == bytes)
            }
        }
        #expect(Base64.text(of: [0xFB, 0xFF], .url) == "-_8")
        #expect(Base64.text(of: [0xFB, 0xFF]) == "+/8=")
    }

    @Test(
        "one text for one list of bytes",
        arguments: ["A", "AA=", "AA==", "AB", "AAB", "A A", "A\n", "+/8", "AAAA=", "é"])
    func strictURL(text: String) { #expect(Base64.bytes(of: text, .url) == nil) }

    @Test(
        "with padding, and just as much as is needed",
        arguments: ["AA", "AA=", "A===", "AAA", "AB==", "AAB=", "-_8=", "AAAA====", "=AAA", "AA=A"])
    func strictStandard(text: String) { #expect(Base64.bytes(of: text) == nil) }
}
