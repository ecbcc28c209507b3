internal import Documents

/// A file that was read, as reports and parts name it: by its path, its length, and digests of what it holds.
package struct CaptureIdentity: Figure, Hashable {
    /// The path as it was given.
    package var path = ""
    /// The length; `nil` for what can be read once only.
    package var bytes: Int?
    /// The SHA-256 of the length and of some of the bytes (``FileDigest/sample(of:)``), from which short names follow.
    package var sample: String?
    /// The SHA-256 of all bytes in hexadecimal digits; `nil` where it was not worked out.
    package var digest: String?

    /// The number of bytes of a report's inputs that are read again for digests at most; that takes some 30 ms.
    package static let digestBytes = 48 * 1024 * 1024

    package static let fields: [FigureField<CaptureIdentity>] = [
        .value("path", \.path), .value("bytes", \.bytes), .value("sample", \.sample), .value("sha256", \.digest),
    ]

    package init() {}

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - limit: The greatest length at which all of it is read.
    package init(path: String, digestedUpTo limit: Int) {
        self.path = path
        bytes = path == "-" ? nil : FileDigest.size(of: path)
        guard let bytes else { return }
        sample = FileDigest.sample(of: path)
        if bytes <= limit { digest = FileDigest(path: path)?.text }
    }

    /// The digest of all bytes, or of the sample if not all were read; `nil` for what can be read once only.
    package var text: String? {
        digest.map { "sha256:" + $0 } ?? sample.map { "sampled-sha256:" + $0 }
    }

    /// The same files, with digests of the smallest ones alone, whose lengths together fit a budget.
    package static func limiting(_ files: [CaptureIdentity], to budget: Int) -> [CaptureIdentity] {
        var (limited, left) = (files, budget)
        for index in files.indices.sorted(by: { (files[$0].bytes ?? 0, $0) < (files[$1].bytes ?? 0, $1) }) {
            guard let bytes = files[index].bytes else { continue }
            if bytes <= left { left -= bytes } else { limited[index].digest = nil }
        }
        return limited
    }
}
