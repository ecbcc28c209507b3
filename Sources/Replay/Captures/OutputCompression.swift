/// The ways to compress a file that is written, by the ending of its name.
package enum OutputCompression: String, CaseIterable, Sendable {
    case gzip = "gz"
    case zstd = "zst"

    /// The bytes of a file, compressed if the ending of its name says so; equal bytes give equal ones.
    package static func packed(_ bytes: [UInt8], for path: String) -> [UInt8] {
        switch allCases.first(where: { path.lowercased().hasSuffix(".\($0.rawValue)") }) {
        case .gzip: GzipMember.pack(bytes)
        case .zstd: ZstdFrame().pack(bytes)
        case nil: bytes
        }
    }
}
