import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R12.2 AES") struct BlockCipherTests {
    struct Block: LabelledRow {
        let label: String
        let keyLength: Int
        let enciphered: UInt128
    }

    /// The samples of FIPS 197, appendix C: keys are bytes that count up from 0.
    static let blocks = [
        Block(label: "AES-128", keyLength: 16, enciphered: 0x69C4_E0D8_6A7B_0430_D8CD_B780_70B4_C55A),
        Block(label: "AES-192", keyLength: 24, enciphered: 0xDDA9_7CA4_864C_DFE0_6EAF_70A0_EC0D_7191),
        Block(label: "AES-256", keyLength: 32, enciphered: 0x8EA2_B7CA_5167_45BF_EAFC_4990_4B49_6089),
    ]

    @Test("R12.2 one block, again and again", arguments: blocks) func enciphersABlock(_ row: Block) throws {
        let cipher = try #require(BlockCipher(key: Array(0..<UInt8(row.keyLength))))
        for _ in 0..<3 {
            #expect(cipher.encrypt(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF) == row.enciphered)
        }
    }

    @Test("R12.2 no block depends on the one before") func blocksStandAlone() throws {
        let cipher = try #require(BlockCipher(key: Array(0..<32)))
        let first = cipher.encrypt(1)
        #expect(cipher.encrypt(2) != first)
        #expect(cipher.encrypt(1) == first)
    }

    @Test("R12.2 keys have 16, 24 or 32 bytes", arguments: 0...40) func keysHaveALength(count: Int) {
        #expect((BlockCipher(key: Array(repeating: 0, count: count)) != nil) == [16, 24, 32].contains(count))
    }
}
