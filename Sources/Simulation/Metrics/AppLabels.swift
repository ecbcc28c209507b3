/// The names of apps by their numbers.
struct AppLabels: Sendable {
    /// `OS-APP`.
    var apps: [String] = []
    /// `OS-APP-VERSION`.
    var versions: [String] = []
}
