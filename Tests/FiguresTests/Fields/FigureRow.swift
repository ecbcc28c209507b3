import Testing

@testable import Figures
@testable import PolicyEngine

/// Worked-out values of a figure, as partial results and reports have them.
struct FigureRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The partial form of a value.
    let first: String
    /// The partial forms of another value and of the sum of both; `nil` where nothing is added up.
    let second, sum: String?
    /// The value in a report about attestations, and in one about fetches; `nil` where no report has it.
    let reported, inFetches: String?
    private let figure: any Figure.Type

    init<Value: Figure & Addable>(
        _ type: Value.Type, _ first: String, plus second: String, gives sum: String, reported: String? = nil,
        inFetches: String? = nil
    ) {
        (testDescription, figure, self.first, self.second, self.sum) = ("\(type)", type, first, second, sum)
        (self.reported, self.inFetches) = (reported, inFetches)
    }

    init<Value: Figure>(_ type: Value.Type, _ value: String, reported: String? = nil) {
        (testDescription, figure, first, second, sum) = ("\(type)", type, value, nil, nil)
        (self.reported, inFetches) = (reported, nil)
    }

    /// The members of the value.
    func members() throws -> [JSONMember] {
        if case .object(let members) = try Self.content(first) { members } else { [] }
    }

    /// The partial form of a value that was read from one.
    func readBack(_ content: JSONContent) throws -> String {
        try Self.text(figure.init(PartialReader(content)).partial)
    }

    /// The same of text.
    func readBack(_ text: String) throws -> String { try readBack(Self.content(text)) }

    /// The partial form of a sum of two values; of a value and nothing without the other one.
    func adding(_ left: String, _ right: String?) throws -> String {
        func sum<Value: Figure>(_ type: Value.Type) throws -> String {
            let own = try type.init(PartialReader(Self.content(left)))
            let other = try right.map { try type.init(PartialReader(Self.content($0))) } ?? type.init()
            guard var sum = own as? any Figure & Addable else { return left }
            func add<Sum: Addable>(_ sum: inout Sum) { if let other = other as? Sum { sum.add(other) } }
            add(&sum)
            return Self.text(sum.partial)
        }
        return try sum(figure)
    }

    /// The value in a report.
    func report(_ unit: ComparedUnit) throws -> String {
        try Self.text(figure.init(PartialReader(Self.content(first))).reported(unit))
    }

    /// The names of the members that the schema of reports has always.
    var declared: Set<String> { Set(figure.reportedFields().members.map(\.name)) }

    static func content(_ text: String) throws -> JSONContent {
        try JSONParser.parse(Array(text.utf8), maximumNesting: 32)
    }

    private static func text(_ value: JSONValue) -> String {
        var bytes = JSONBytes()
        value.write(to: &bytes)
        return String(decoding: bytes.bytes, as: UTF8.self)
    }
}

// Two devices, parts of values that others hold, and the values. Times are seconds since 1970.
private let one = "w4mmGFZkpz5oPz6w6gl1Cw=="
private let two = "qZka0yfv+ExvOq3PRh6pGw=="

private func part(_ events: Int, _ attestations: Int, _ devices: Int, _ example: String, _ index: Int) -> String {
    #"{"name":"rooted","events":\#(events),"attestations":\#(attestations),"devices":\#(devices),"#
        + #""example":"\#(example)","index":\#(index)}"#
}

private let passing = #"{"valid":true,"policy":"default","reasons":[]}"#
private let failing =
    #"{"valid":false,"policy":"strict","reasons":[{"rejection":["filter","myip"]},{"result":"NO_NETWORK"}]}"#

private func example(
    _ index: Int, _ device: String, _ time: Int, _ events: Int, _ attestations: Int, _ devices: Int
) -> String {
    #"{"index":\#(index),"device":"\#(device)","time":\#(time),"events":\#(events),"attestations":\#(attestations),"#
        + #""devices":\#(devices),"flags":["rooted"],"before":\#(passing),"after":\#(failing)}"#
}

private func change(_ counts: String, _ part: String, _ example: String, known: String) -> String {
    #"{\#(counts),"splits":[{"kind":"flag","parts":[\#(part)]}],"examples":[\#(example)],"known":\#(known)}"#
}

private let firstFilter = #"{"name":"f","matched":1,"devices":2,"limit-hits":3}"#
private let secondFilter = #"{"name":"f","matched":10,"devices":20,"limit-hits":30}"#
private let filterSum = #"{"name":"f","matched":11,"devices":22,"limit-hits":33}"#

private let firstUnevaluated = #"{"devices":2,"unsearched":1,"reasons":[["filter:f",1],["new-did",1]],"left-out":3}"#
private let secondUnevaluated = #"{"devices":20,"unsearched":10,"reasons":[["new-did",10]],"left-out":30}"#
private let unevaluatedSum = #"{"devices":22,"unsearched":11,"reasons":[["filter:f",1],["new-did",11]],"left-out":33}"#

private let firstCounts = counts(9, 1, 2, 3, 8, 4, 5, 6)
private let secondCounts = counts(90, 10, 20, 30, 80, 40, 50, 60)
private let countsSum = counts(99, 11, 22, 33, 88, 44, 55, 66)

private func counts(_ all: Int...) -> String {
    let names = [
        "devices", "rejected", "newly-rejected", "no-longer-rejected", "days", "rejected-days", "rejected-days-before",
        "unevaluated",
    ]
    return "{" + zip(names, all).map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
}

private func lane(_ counts: String) -> String {
    #"{"number":1,"bad":\#(counts),"good":\#(counts),"unknown":\#(counts)}"#
}

// The windows and all else of figures, by the number of devices that passed in the month.
private func figures(_ month: Int, _ filter: String, _ unevaluated: String) -> String {
    #"{"attestations":\#(9 * month),"malformed":\#(month),"metrics":[["fail",\#(month)],["pass",\#(2 * month)]],"#
        + #""lifetimes":[[120,\#(month)],[300,\#(2 * month)]],"policies":[["default,default,none",\#(3 * month)]],"#
        + #""devices":{"unique":\#(month),"new":\#(month),"banned":\#(month)},"windows":[["daily",[]],["hourly",[]],"#
        + #"["monthly",[{"start":0,"passed":\#(month),"failed":0,"counts":[["fail-flag-rooted",\#(month)]]}]]],"#
        + #""hours":[[3600,[\#(month),\#(2 * month)]]],"billing":\#(month),"filters":[\#(filter)],"#
        + #""unknown-flags":[["odd",\#(month)]],"unjudged":\#(unevaluated),"reproduced":{"compared":\#(2 * month),"#
        + #""agreed":\#(month)},"series":[[60,[["fail",\#(month)],["pass",0]]]],"labels":null,"#
        + #""failing-devices":\#(month),"groups":\#(groups(month))}"#
}

private func groups(_ devices: Int) -> String {
    let names = ["flags", "apps", "versions", "systems"]
    return "{" + names.map { #""\#($0)":[["x",\#(devices)]],"# }.joined() + #""systemless":\#(devices)}"#
}

private let firstFigures = figures(1, firstFilter, firstUnevaluated)
private let secondFigures = figures(10, secondFilter, secondUnevaluated)
private let figuresSum = figures(11, filterSum, unevaluatedSum)

private let firstChange = change(
    #""events":1,"attestations":2,"devices":3,"fetches":4"#, part(1, 2, 3, one, 7), example(7, one, 60, 1, 2, 3),
    known: #"["\#(one)"]"#)
private let secondChange = change(
    #""events":10,"attestations":20,"devices":30,"fetches":40"#, part(10, 20, 30, two, 5),
    example(5, two, 0, 10, 20, 30),
    known: "null")
private let changeSum = change(
    #""events":11,"attestations":22,"devices":33,"fetches":44"#, part(11, 22, 33, two, 5),
    example(5, two, 0, 11, 22, 33),
    known: "null")

private func disagreement(_ attestations: Int, _ index: Int, _ device: String, _ time: Int) -> String {
    #"{"verdict":{"fails":[["flag","rooted"],["blacklist",""]]},"attestations":\#(attestations),"index":\#(index),"#
        + #""example":"\#(device)","time":\#(time)}"#
}

private func annotations(_ factor: Int, gained: String) -> String {
    let names = ["events", "attestations", "devices", "appearing", "disappearing"]
    let counts = zip(names, 1...).map { #""\#($0)":\#($1 * factor)"# }.joined(separator: ",")
    return #"{\#(counts),"gained":[\#(gained)],"lost":[["rooted",\#(factor)]]}"#
}

private func failingDevices(_ factor: Int) -> String {
    #"{"before":\#(factor),"after":\#(2 * factor),"open":\#(3 * factor)}"#
}

private func comparison(
    _ factor: Int, _ unevaluated: String, _ change: String, _ disagreement: String, span: String, rules: String
) -> String {
    let names = ["events", "attestations", "judged-events"]
    let counts = zip(names, 1...).map { #""\#($0)":\#($1 * factor)"# }.joined(separator: ",")
    return #"{\#(counts),"unjudged":\#(unevaluated),"devices":\#(4 * factor),"locked-out":\#(5 * factor),"#
        + #""let-in":\#(6 * factor),"open-turns":\#(7 * factor),"rejected":\#(change),"accepted":\#(change),"lifetimes":[{"before":300,"after":120,"#
        + #""events":\#(factor),"attestations":\#(2 * factor)}],"annotations":\#(annotations(factor, gained: "")),"#
        + #""presences":[{"attribute":"ip","records":\#(factor)}],"disagreements":[\#(disagreement)],"span":\#(span),"#
        + #""failing":\#(failingDevices(factor)),"labels":null,"decided-rules":[\#(rules)]}"#
}

private let firstComparison = comparison(
    1, firstUnevaluated, firstChange, disagreement(1, 7, one, 60), span: "[0,60]",
    rules: #""R4.6""#)
private let secondComparison = comparison(
    10, secondUnevaluated, secondChange, disagreement(10, 5, two, 0), span: "[30,90]",
    rules: #""R7.6""#)
private let comparisonSum = comparison(
    11, unevaluatedSum, changeSum, disagreement(11, 5, two, 0), span: "[0,90]",
    rules: #""R4.6","R7.6""#)

private let firstFetches = fetches(
    3, #"{"id":"\#(one)","fetches":3,"passed":true}"#, #"[0,60]"#, "[1,2,3]")
private let secondFetches = fetches(
    30, #"{"id":"\#(two)","fetches":9,"passed":null}"#, #"[30,90]"#, "[10,20,30]")
private let fetchesSum = fetches(
    33, #"{"id":"\#(two)","fetches":9,"passed":null},{"id":"\#(one)","fetches":3,"passed":true}"#, #"[0,90]"#,
    "[11,22,33]")

private func fetches(_ total: Int, _ most: String, _ span: String, _ weights: String) -> String {
    let numbers = weights.dropFirst().dropLast().split(separator: ",")
    return #"{"total":\#(total),"devices":\#(total / 3),"malformed":\#(2 * total),"span":\#(span),"most":[\#(most)],"#
        + #""weights":{"passed":\#(numbers[0]),"failed":\#(numbers[1]),"unknown":\#(numbers[2])}}"#
}

private let identity = #"{"path":"a.txt","bytes":3,"sample":"ab","sha256":null}"#
private let difference =
    #"{"flags":[{"name":"rooted","before":"accepts","after":"rejects"}],"others":["rejecting filters count"]}"#

extension FigureRow {
    static let all = counted + compared + labelled + named

    private static let counted = [
        FigureRow(Figures.self, firstFigures, plus: secondFigures, gives: figuresSum),
        FigureRow(
            Figures.Devices.self, #"{"unique":5,"new":2,"banned":1}"#, plus: #"{"unique":70,"new":30,"banned":10}"#,
            gives: #"{"unique":75,"new":32,"banned":11}"#, reported: #"{"banned":1,"new":2,"unique":5}"#),
        FigureRow(
            Figures.Window.self,
            #"{"start":3600,"passed":1,"failed":2,"counts":[["fail-app-ios-x",3],["pass-app-ios-x",4]]}"#,
            plus: #"{"start":3600,"passed":10,"failed":20,"counts":[["pass-app-ios-x",40]]}"#,
            gives: #"{"start":3600,"passed":11,"failed":22,"counts":[["fail-app-ios-x",3],["pass-app-ios-x",44]]}"#,
            reported: #"{"fail":2,"pass":1,"start":"1970-01-01T01:00:00Z"}"#),
        FigureRow(
            Figures.FilterFigures.self, firstFilter, plus: secondFilter, gives: filterSum,
            reported: #"{"devices":2,"match-limit-hits":3,"matched":1,"name":"f"}"#),
        FigureRow(
            Figures.Unevaluated.self, firstUnevaluated, plus: secondUnevaluated, gives: unevaluatedSum,
            reported: #"{"devices":2,"left-out":3,"reasons":{"filter:f":1,"new-did":1}}"#),
        FigureRow(
            Figures.Reproduction.self, #"{"compared":2,"agreed":1}"#, plus: #"{"compared":30,"agreed":10}"#,
            gives: #"{"compared":32,"agreed":11}"#, reported: #"{"agreed":1,"compared":2}"#),
        FigureRow(
            FetchFigures.self, firstFetches, plus: secondFetches, gives: fetchesSum,
            reported: #"{"devices":1,"first":"1970-01-01T00:00:00Z","last":"1970-01-01T00:01:00Z","malformed":6,"#
                + #""most":[{"device":"\#(one)","fetches":3,"verdict":"pass"}],"total":3,"#
                + #""weights":{"fail":2,"pass":1,"unknown":3}}"#),
        FigureRow(
            FetchFigures.Device.self, #"{"id":"\#(one)","fetches":3,"passed":false}"#,
            reported: #"{"device":"\#(one)","fetches":3,"verdict":"fail"}"#),
        FigureRow(
            ReplayPart.self, #"{"figures":\#(firstFigures),"doubtful":null,"malformed":1,"fetches":\#(firstFetches)}"#,
            plus: #"{"figures":\#(secondFigures),"doubtful":null,"malformed":2,"fetches":\#(secondFetches)}"#,
            gives: #"{"figures":\#(figuresSum),"doubtful":null,"malformed":3,"fetches":\#(fetchesSum)}"#),
    ]

    private static let compared = [
        FigureRow(
            ChangeFigures.self, firstChange, plus: secondChange, gives: changeSum,
            reported: #"{"apps":[],"attestations":2,"devices":3,"examples":[\#(reportedExample(events: nil))],"#
                + #""fetches":4,"filters":[],"flags":[\#(reportedPart(events: nil))],"others":[],"systems":[],"#
                + #""versions":[]}"#,
            inFetches: #"{"apps":[],"attestations":2,"devices":3,"examples":[\#(reportedExample(events: 1))],"#
                + #""fetches":4,"filters":[],"flags":[\#(reportedPart(events: 1))],"others":[],"systems":[],"#
                + #""versions":[]}"#),
        FigureRow(
            ComparisonFigures.self, firstComparison, plus: secondComparison, gives: comparisonSum,
            reported: #"{"annotations":{"appearing":4,"attestations":2,"devices":3,"disappearing":5,"gained":{},"#
                + #""lost":{"rooted":1}},"attestations":2,"decided-rules":[{"rule":"R4.6","sentence":"#
                + #""\#(DecidedRule.bansUnderWhitelist.sentence)"}],"devices":4,"disagreements":[{"attestations":1,"#
                + #""captured":"pass","example":"\#(one)","reasons":["rooted","policy:blacklist"],"#
                + #""time":"1970-01-01T00:01:00Z"}],"let-in":6,"lifetimes":[{"after":120,"attestations":2,"#
                + #""before":300}],"locked-out":5}"#),
        FigureRow(
            AnnotationFigures.self, annotations(1, gained: #"["emulator",1]"#),
            plus: annotations(10, gained: #"["emulator",2],["rooted",3]"#),
            gives: annotations(11, gained: #"["emulator",3],["rooted",3]"#),
            inFetches: #"{"appearing":4,"attestations":2,"devices":3,"disappearing":5,"fetches":1,"#
                + #""gained":{"emulator":1},"lost":{"rooted":1}}"#),
        FigureRow(GroupDevices.self, groups(1), plus: groups(10), gives: groups(11)),
        FigureRow(
            FailingDevices.self, failingDevices(1), plus: failingDevices(10), gives: failingDevices(11)),
        FigureRow(
            PairFigures.self, #"{"before":\#(firstFigures),"after":\#(secondFigures),"changes":\#(firstComparison)}"#,
            plus: #"{"before":\#(secondFigures),"after":\#(firstFigures),"changes":\#(secondComparison)}"#,
            gives: #"{"before":\#(figuresSum),"after":\#(figuresSum),"changes":\#(comparisonSum)}"#),
    ]

    private static func reportedPart(events: Int?) -> String {
        #"{"attestations":2,"devices":3,"example":"\#(one)"\#(events.map { #","fetches":\#($0)"# } ?? ""),"name":"rooted"}"#
    }

    private static func reportedExample(events: Int?) -> String {
        #"{"after":{"policy":"strict","rejections":["filter:myip","result:NO_NETWORK"],"verdict":"fail"},"attestations":2,"#
            + #""before":{"policy":"default","rejections":[],"verdict":"pass"},"device":"\#(one)","devices":3"#
            + #"\#(events.map { #","fetches":\#($0)"# } ?? ""),"flags":["rooted"],"time":"1970-01-01T00:01:00Z"}"#
    }

    private static let labelled = [
        FigureRow(LabelCounts.self, firstCounts, plus: secondCounts, gives: countsSum),
        FigureRow(LabelLane.self, lane(firstCounts), plus: lane(secondCounts), gives: lane(countsSum)),
    ]

    private static let named = [
        FigureRow(
            LabelFigures.Unmatched.self, #"{"line":3,"attribute":"ip","value":"x","label":"bad"}"#,
            reported: #"{"attribute":"ip","label":"bad","line":3,"value":"x"}"#),
        FigureRow(
            PolicyDifference.self, difference,
            reported:
                #"{"flags":[{"after":"rejects","before":"accepts","flag":"rooted"}],"others":["rejecting filters count"]}"#
        ),
        FigureRow(
            ComparedAccounts.self,
            #"{"name":"a","policies":{"before":"x","after":"y"},"difference":\#(difference),"equal":false,"turn-nothing":false,"#
                + #""unevaluated":["z"],"new-filters":[{"name":"f","key":"ip"}],"decided-rules":["R11.2"]}"#),
        FigureRow(CaptureIdentity.self, identity),
        FigureRow(
            PartialResult.TypedCommand.self,
            #"{"captures":[\#(identity)],"options":[["--policy","x"]],"files":[\#(identity)]}"#),
    ]

    /// Values that no part can have, and why.
    static let impossible: [(FigureRow, reason: String)] = [
        (
            FigureRow(CaptureIdentity.self, #"{"path":"a","bytes":-1,"sample":null,"sha256":null}"#),
            "`bytes`: is not a whole number in the supported range"
        ),
        (FigureRow(LabelCounts.self, counts(1, 2, 0, 0, 0, 0, 0, 0)), "has more rejected than there are"),
        (FigureRow(LabelCounts.self, counts(0, 0, 0, 0, 1, 2, 0, 0)), "has more rejected than there are"),
        (FigureRow(LabelCounts.self, counts(0, 0, 0, 0, 1, 0, 2, 0)), "has more rejected than there are"),
        (
            FigureRow(
                ComparisonFigures.LifetimeChange.self, #"{"before":300,"after":3601,"events":1,"attestations":1}"#),
            "is not a lifetime"
        ),
        (
            FigureRow(Figures.self, firstFigures.replacing("[120,1]", with: "[3601,1]")),
            "has a token that lives longer than any"
        ),
        (
            FigureRow(Figures.self, firstFigures.replacing("[120,1]", with: "[120,8]")),
            "has more tokens than attestations"
        ),
    ]
}
