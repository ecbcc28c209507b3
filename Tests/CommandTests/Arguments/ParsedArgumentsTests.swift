import Testing

@testable import scenario

struct ParsedArgumentsTests {
    @Test func absentOptionsHaveNoValue() throws {
        let parsed = try ArgumentParser.parse([], for: .sample)
        #expect(!parsed.isSet(.sampleTag))
        #expect(parsed.value(of: .sampleTag) == nil)
        #expect(parsed.values(of: .sampleTag).isEmpty)
        #expect(parsed.integer(of: .sampleCount) == nil)
        #expect(parsed.choice(of: .sampleFormat, as: SampleFormat.self) == nil)
    }

    @Test(arguments: ["1": 1, "8": 8, "007": 7]) func integersAreRead(text: String, number: Int) throws {
        #expect(try ArgumentParser.parse(["--count", text], for: .sample).integer(of: .sampleCount) == number)
    }

    @Test func integersReachTheTopOfTheirRange() throws {
        let arguments = ["--seed", "18446744073709551615"]
        let parsed = try ArgumentParser.parse(arguments, for: RunCommand.definition)
        #expect(parsed.integer(of: .seed, as: UInt64.self) == UInt64.max)
    }

    @Test(arguments: SampleFormat.allCases) func choicesAreRead(_ format: SampleFormat) throws {
        let parsed = try ArgumentParser.parse(["--format", format.rawValue], for: .sample)
        #expect(parsed.choice(of: .sampleFormat, as: SampleFormat.self) == format)
    }
}
