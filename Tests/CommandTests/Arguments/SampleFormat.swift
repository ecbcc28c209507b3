/// The words that the sample command takes after `--format`.
enum SampleFormat: String, CaseIterable {
    case text
    case json
}
