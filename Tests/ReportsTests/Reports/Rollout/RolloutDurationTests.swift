import Testing

@testable import Reports
@testable import TestSupport

@Suite struct RolloutDurationTests {
    static let durations = [
        0: "0 s", 1: "1 s", 59: "59 s", 60: "1 min", 61: "1 min 1 s", 3599: "59 min 59 s", 3600: "1 h",
        3601: "1 h 1 min",
        13_200: "3 h 40 min", 86_399: "1 d", 86_400: "1 d", 86_401: "1 d 1 h", 172_799: "2 d", 864_000: "10 d",
    ]

    /// Rounded up, so that no report says too short a time.
    @Test(arguments: durations) func wordsAreRoundedUp(seconds: Int, words: String) {
        expect(RolloutDuration.words(seconds), equals: words)
    }
}
