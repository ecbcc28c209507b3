internal import Documents
package import Figures

extension CaptureIdentity {
    /// The files that operands name; a folder of split captures stands for what was split.
    ///
    /// - Parameters:
    ///   - operands: Files, and folders that `scenario split` wrote.
    ///   - limit: The greatest length at which all of a file is read.
    package static func all(_ operands: [String], digestedUpTo limit: Int) -> [CaptureIdentity] {
        operands.flatMap { path -> [CaptureIdentity] in
            SplitManifest.captures(of: path) ?? [CaptureIdentity(path: path, digestedUpTo: limit)]
        }
    }
}

extension SplitManifest {
    /// The captures that were split into a folder, each in the folder of its first range; `nil` where it is no such folder.
    fileprivate static func captures(of path: String) -> [CaptureIdentity]? {
        guard FileLocation(path).isFolder else { return nil }
        let file = FileLocation.join(path, Self.name)
        guard let bytes = try? TextFile.bytes(path: file), let manifest = try? SplitManifest(bytes, path: file) else {
            return nil
        }
        return manifest.captures.filter { ($0.range?.lowerBound ?? 0) == 0 }.map { file in
            CaptureIdentity {
                ($0.path, $0.bytes, $0.sample, $0.digest) = (file.path, file.bytes, file.sample, file.digest)
            }
        }
    }
}
