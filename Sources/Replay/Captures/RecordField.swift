/// What a record says of itself beside attributes, by its place in ``RecordFields``.
enum RecordField {
    static let deviceID = 0
    static let time = 1
    static let flags = 2
    static let rejections = 3
    static let device = 4
    /// Behind these come the attributes that only filters and reports need.
    static let count = 5

    /// The keys under which captures write them; the list of flags has three names.
    static let names: [(name: String, field: Int)] = [
        ("device-id", deviceID), ("time", time), ("public-flags", flags), ("flags-all", flags), ("flags", flags),
        ("rejection-flags", rejections), ("device", device),
    ]
}
