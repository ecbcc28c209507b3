/// The secret of a session: who knows it may ask. It is the first part of every path, so that no other page can name one.
struct SessionSecret: Sendable {
    /// 32 hexadecimal digits: 128 bits.
    let text: String

    private static let byteCount = 16

    /// Draws a secret from the system's chance.
    init() {
        var chance = SystemRandomNumberGenerator()
        let digits = (0..<Self.byteCount).flatMap { _ in
            let byte = UInt8.random(in: .min ... .max, using: &chance)
            return [byte >> 4, byte & 15].map { String($0, radix: 16) }
        }
        text = digits.joined()
    }

    /// The part of a path below the secret; `nil` where the path does not begin with it.
    ///
    /// The time does not depend on the digits that are right.
    func rest(of path: String) -> String? {
        let (bytes, expected) = (Array(path.utf8), Array("/\(text)/".utf8))
        guard bytes.count >= expected.count else { return nil }
        let difference = zip(bytes, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0 ? String(decoding: bytes[expected.count...], as: UTF8.self) : nil
    }
}
