internal import Columns
internal import Documents
package import Figures

/// A file that `scenario split` wrote: a capture of columns with the records of one part of the devices.
package struct SplitPart: Sendable {
    let path: String
    /// Which devices.
    package let shard: DeviceShard
    /// The captures that were split, as all parts of them say it: by this, parts of the same captures are known.
    package let text: String
    let origin: SplitOrigin

    /// The keys of the metadata of its file.
    static let (shardKey, originKey) = ("scenario.shard", "scenario.split")

    // The frame that files of earlier versions begin with.
    private static let (formerMagic, formerTag): ([UInt8], [UInt8]) = ([0x53, 0x2A, 0x4D, 0x18], Array("PLT1".utf8))

    /// - Parameter path: A capture.
    /// - Returns: `nil` for one that is no such file.
    /// - Throws: ``CaptureFailure`` for one that was cut or changed, or that an earlier version wrote; and for a folder.
    init?(path: String) throws(CaptureFailure) {
        guard path != "-" else { return nil }
        let location = FileLocation(path)
        guard !location.isFolder else {
            throw .wrongPart(
                path: path, message: "is a folder, and no capture",
                hint: "name the file of a part in it, such as `shard-1.arrow`; split captures again if it has "
                    + "`manifest.json`, which earlier versions wrote")
        }
        guard location.isRegularFile else { return nil }
        let file = try FileSource(path: path)
        var start = [UInt8](repeating: 0, count: 12)
        _ = try file.read(into: &start, range: start.indices, at: 0)
        guard !start.starts(with: Self.formerMagic) || !start.dropFirst(8).elementsEqual(Self.formerTag) else {
            throw .wrongPart(
                path: path, message: "an earlier version of `scenario split` wrote it", hint: "split the captures again"
            )
        }
        let columns = CapturedColumns(file)
        let notes = try columns.attempt { () throws(ColumnFailure) in try ColumnSchema(ofFile: columns)?.metadata }
        func note(_ key: String) -> String? { notes?.first { $0.key == key }?.value }
        guard let number = note(Self.shardKey), let text = note(Self.originKey) else { return nil }
        guard let shard = DeviceShard(number) else {
            throw .wrongPart(path: path, message: "is not a possible part: \(number.quoted)", hint: nil)
        }
        do throws(PartialFailure) { origin = try SplitOrigin(text: text) } catch {
            throw .wrongPart(
                path: path, message: "says of the captures that were split what makes no sense: \(error.message)",
                hint: "split the captures again")
        }
        (self.path, self.shard, self.text) = (path, shard, text)
    }

    /// The part that a path names; `nil` for any other file, and for one that cannot be read.
    package static func known(_ path: String) -> SplitPart? { try? SplitPart(path: path) }

    /// The metadata of the file of a part.
    static func notes(of shard: DeviceShard, _ origin: SplitOrigin) -> [ColumnNote] {
        [ColumnNote(shardKey, shard.description), ColumnNote(originKey, origin.text)]
    }
}

extension CaptureIdentity {
    /// The files that operands name; a part of split captures stands for these.
    ///
    /// - Parameters:
    ///   - operands: Files, and parts that `scenario split` wrote.
    ///   - limit: The greatest length at which all of a file is read.
    package static func all(_ operands: [String], digestedUpTo limit: Int) -> [CaptureIdentity] {
        operands.flatMap { path -> [CaptureIdentity] in
            guard let part = SplitPart.known(path) else {
                return [CaptureIdentity(path: path, digestedUpTo: limit)]
            }
            // A range that is not the first is of a capture that was named already.
            return part.origin.captures.filter { ($0.from ?? 0) == 0 }.map(\.identity)
        }
    }
}
