internal import PolicyEngine

/// Everything that is looked for in the records of captures while they are read, besides what each says of itself.
struct RecordNeeds: Sendable {
    /// The names of keys in the captures.
    var names = RecordNames()
    /// The accounts whose filters look at attributes: none, one, or both of a comparison.
    var accounts: [Account] = []
    /// The signals that one of the accounts sees in place of those of the records; `nil` for none.
    var assumed: AssumedSignals?
    /// Numbers the apps of the records; `nil` where they are not counted.
    var apps: AppRegistry?
    /// True if it is noted which attributes with filters a record has.
    var notesPresences = false
    /// The keys whose values are numbered for profiles of devices; `nil` for none.
    var profile: ProfiledKeys?
    /// The attributes whose values are carried along with records.
    var carriedKeys: [String] = []
    /// The devices with whose records values are carried along.
    var carryingDevices = DeviceSelection.all
    /// The keys whose values are numbered to be packed; `nil` for none.
    var packed: PackedKeys?

    /// The index of an attribute among ``carriedKeys``; their number if it is none of them.
    func carriedIndex(of attribute: String) -> Int {
        carriedKeys.firstIndex { ExactText($0) == ExactText(attribute) } ?? carriedKeys.count
    }
}

/// Keys whose values are numbered alike by all who read a capture.
struct ProfiledKeys: Sendable {
    let keys: [ProfileKey]
    let registry = ValueRegistry()
}
