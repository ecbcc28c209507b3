package import Documents

/// The kinds of names that scenarios alone have.
extension NameKind {
    package static let group = NameKind("group")
    /// An account of a scenario that has several.
    package static let account = NameKind("account")
    /// A device ID, or the group of a single device.
    package static let groupOrDevice = NameKind("group or device")
    /// A flag, or a filter behind `filter:`.
    package static let rejection = NameKind("rejection")
    /// A metric, which may name a filter.
    package static let metric = NameKind("metric")
}
