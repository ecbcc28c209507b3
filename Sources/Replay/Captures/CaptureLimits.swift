/// Limits on the amount of a capture that is in memory at a time.
package enum CaptureLimits {
    /// The longest record, in bytes.
    package static let recordBytes = 64 * 1024 * 1024
    /// Bytes read at a time: few enough to stay in a processor's cache, with the records found in them.
    package static let blockBytes = 256 * 1024
    /// Bytes that are readable behind the records of a block, so that whoever looks at many bytes at a time may go beyond.
    static let blockPadding = 256
    /// Bytes read to find out what a capture is.
    static let detectionBytes = 64 * 1024
    /// Different keys in one record.
    package static let keys = 4096
    /// The longest list of flags in a column of lists, in bytes; lists may share elements.
    static let listBytes = 1024 * 1024
    /// All dictionaries of a capture that are kept at once, in bytes.
    static let dictionaryBytes = 1024 * 1024 * 1024
    /// Distinct values kept of an attribute; further ones are looked at anew.
    package static let keptValues = 65_536
    /// Distinct lists of flags kept; further ones are read anew.
    package static let keptFlagLists = 32_768
}
