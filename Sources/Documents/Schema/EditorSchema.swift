/// The schemas that editors know files of ours by.
package enum EditorSchema: String, CaseIterable, Sendable {
    case account, scenario, keys

    /// The folder in which the package installs them.
    package static let folder = "/usr/share/scenario/schemas"

    /// The name of the schema's file.
    package var fileName: String { "\(rawValue).schema.json" }

    /// The first line of a file that is written here, by which a language server for YAML finds the schema.
    package var line: String { "# yaml-language-server: $schema=\(Self.folder)/\(fileName)" }
}
