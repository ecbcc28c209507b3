/// The devices of groups, by what was observed of them at some time: of them a change turns a part.
package struct GroupDevices: Figure, Addable, Hashable {
    /// By flag: devices that had it.
    package var flags = NamedCounts()
    /// By app and by its version: devices that attested with it.
    package var apps = NamedCounts()
    package var versions = NamedCounts()
    /// By operating system.
    package var systems = NamedCounts()
    /// The devices that attested without saying it.
    package var systemless = 0

    package static let fields: [FigureField<GroupDevices>] = [
        .sum("flags", \.flags), .sum("apps", \.apps), .sum("versions", \.versions), .sum("systems", \.systems),
        .sum("systemless", \.systemless),
    ]

    package init() {}
}
