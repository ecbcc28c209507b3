import Testing

@testable import Reports
@testable import scenario

/// `--quiet`: results and errors, and nothing else.
@Suite struct QuietTests {
    @Test func showsNoProgress() {
        var console = Console(output: { _ in }, error: { _ in }, style: .plain, showsProgress: true)
        #expect(console.showsProgress)
        console.isQuiet = true
        #expect(!console.showsProgress)
    }
}
