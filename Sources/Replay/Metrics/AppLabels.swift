/// The names of apps by their numbers.
package struct AppLabels: Sendable {
    /// `OS-APP`.
    var apps: [String] = []
    /// `OS-APP-VERSION`.
    var versions: [String] = []

    package init(apps: [String] = [], versions: [String] = []) {
        self.apps = apps
        self.versions = versions
    }
}
