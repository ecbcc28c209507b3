/// The app that an attestation came with, and the app in its version, by their numbers.
package struct AppNumbers: Hashable, Sendable {
    private let appNumber: Int32
    private let versionNumber: Int32

    /// What an attestation does not tell.
    package static let none = AppNumbers(app: nil, version: nil)

    init(app: Int?, version: Int?) {
        appNumber = app.map(Int32.init) ?? -1
        versionNumber = version.map(Int32.init) ?? -1
    }

    /// The app; `nil` where the attestation does not tell it.
    var app: Int? { appNumber < 0 ? nil : Int(appNumber) }

    /// The app in its version; `nil` where the attestation does not tell it.
    var version: Int? { versionNumber < 0 ? nil : Int(versionNumber) }
}
