/// The app that an attestation came with, and the app in its version, by their numbers.
package struct AppNumbers: Hashable, Sendable {
    private let appNumber: Int32
    private let versionNumber: Int32

    /// The numbers of an attestation without an app.
    package static let none = AppNumbers(app: nil, version: nil)
    /// The numbers of an attestation with an app in a version that is not kept.
    static let other = AppNumbers(app: otherNumber, version: otherNumber)
    /// The number of all that are not kept.
    static let otherNumber = 0

    init(app: Int?, version: Int?) {
        appNumber = app.map(Int32.init) ?? -1
        versionNumber = version.map(Int32.init) ?? -1
    }

    /// The app; `nil` where the attestation does not have it.
    var app: Int? { appNumber < 0 ? nil : Int(appNumber) }

    /// The app in its version; `nil` where the attestation does not have it.
    var version: Int? { versionNumber < 0 ? nil : Int(versionNumber) }
}
