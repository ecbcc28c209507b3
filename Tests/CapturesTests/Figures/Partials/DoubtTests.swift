import Testing

@testable import Figures
@testable import TestSupport

/// Figures of which some depend on which devices are new, and values that may be estimates.
@Suite struct DoubtTests {
    private static func figures(_ attestations: Int, agreed: Int) -> Figures {
        Figures {
            $0.attestations = attestations
            $0.reproduced = Figures.Reproduction { $0.agreed = agreed }
        }
    }

    @Test("doubtful figures hold as long as all parts have some") func adding() {
        let sure = DoubtedFigures(Self.figures(1, agreed: 1))
        let doubted = DoubtedFigures(Self.figures(10, agreed: 10), doubtful: Self.figures(20, agreed: 20))
        expect(sure.adding(doubted).value.attestations, equals: 11)
        #expect(sure.adding(doubted).doubtful == nil && doubted.adding(sure).doubtful == nil)
        expect(doubted.adding(doubted).value.attestations, equals: 20)
        expect(doubted.adding(doubted).doubtful?.attestations, equals: 40)
    }

    @Test("verdicts of the service are compared record by record, in doubt too") func finishing() {
        var doubted = DoubtedFigures(Self.figures(10, agreed: 3), doubtful: Self.figures(20, agreed: 20))
        doubted.finish()
        expect(doubted.value.attestations, equals: 20)
        expect(doubted.value.reproduced?.agreed, equals: 3)
        var sure = DoubtedFigures(Self.figures(10, agreed: 3))
        sure.finish()
        expect(sure.value.attestations, equals: 10)
        func pair(_ attestations: Int) -> PairFigures {
            PairFigures {
                ($0.before, $0.after) = (
                    Self.figures(attestations, agreed: 1), Self.figures(attestations + 1, agreed: 1)
                )
                $0.changes.attestations = attestations
                $0.changes.disagreements = [.init { $0.attestations = attestations }]
            }
        }
        var both = DoubtedFigures(pair(10), doubtful: pair(20))
        both.finish()
        #expect((both.value.before.attestations, both.value.after.attestations) == (20, 21))
        expect(both.value.changes.attestations, equals: 20)
        expect(both.value.changes.disagreements.map(\.attestations), equals: [10])
    }

    @Test("frequencies are exact if all values were kept, and none was missed") func frequencies() {
        var frequency = AttributeFrequency("ip")
        #expect((frequency.present, frequency.absent, frequency.restAtMost) == (0, 0, 0))
        #expect(!frequency.isExact)
        frequency.different = 1
        frequency.commonest = [AttributeFrequency.Value("x")]
        #expect(frequency.isExact)
        let value = frequency.commonest[0]
        expect([value.attestations, value.failed, value.devices], equals: [0, 0, 0])
        frequency.commonest[0].missed = 1
        #expect(!frequency.isExact)
        (frequency.commonest[0].missed, frequency.commonest[0].missedDevices) = (0, 1)
        #expect(!frequency.isExact)
    }

    @Test("a file is known by its length and digests, and what can be read once only by nothing") func identity() throws
    {
        let folder = try TemporaryFolder(["a": "abc"])
        let whole = CaptureIdentity(path: folder.path("a"), digestedUpTo: 3)
        // FIPS 180-4: the SHA-256 of `abc`.
        expect(whole.bytes, equals: 3)
        expect(whole.text, equals: "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let sampled = CaptureIdentity(path: folder.path("a"), digestedUpTo: 2)
        #expect(sampled.sample == whole.sample && sampled.text?.hasPrefix("sampled-sha256:") == true)
        let input = CaptureIdentity(path: "-", digestedUpTo: 3)
        #expect((input.path, input.bytes, input.text) == ("-", nil, nil))
    }
}
