import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Effects that depend on new devices are unknown for any number of workers, if no record says which devices were new.
@Suite struct NewDeviceDoubtTests {
    private static func record(_ second: Int, _ device: String, _ flags: String) -> String {
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(device)","flags":"\#(flags)"}"# + "\n"
    }

    @Test("workers and blocks do not change it", arguments: ["reject", "ban"], [false, true])
    func countsWhatIsKnown(action: String, isKnown: Bool) throws {
        let (bob, iphone) = (SampleDevice.bob, SampleDevice.iphone)
        let silent = Self.record(0, bob, "") + Self.record(1, bob, "rooted") + Self.record(2, iphone, "")
        let account = try AccountText.account(
            "filters: [{name: f, key: device-id, regex: ., \(action): true, new-did-only: true}]")
        for jobs in [1, 2, 3] {
            let replayed = try ReplayBench.replay(
                isKnown ? silent + Self.record(3, iphone, "new-did") : silent, account: account
            ) { ($0.jobs, $0.blockBytes) = (jobs, 128) }
            let figures = try #require(replayed.summary.figures)
            expect(replayed.metric("filter-f"), equals: (isKnown ? 3 : 0))
            expect(figures.unevaluated.devices, equals: (isKnown ? 0 : 2))
        }
    }
}
