/// How much of a capture may lie in memory at a time.
package enum CaptureLimits {
    /// The longest record, in bytes.
    package static let recordBytes = 64 * 1024 * 1024
    /// Bytes read at a time: few enough to stay in a processor's cache, with the records found in them.
    package static let blockBytes = 256 * 1024
    /// Bytes read to find out what a capture is.
    static let detectionBytes = 64 * 1024
    /// Different keys in one record.
    package static let keys = 4096
    /// Distinct values kept of an attribute that only filters look at; further ones are matched anew.
    package static let keptValues = 16_384
    /// Distinct lists of flags kept; further ones are read anew.
    package static let keptFlagLists = 32_768
}
