internal import Documents
internal import PolicyEngine

/// Draws counts over time: bands with their names, a grid, a line for each count, and a moment as an upright line.
struct CurveDrawing {
    private let plot: CurvePlot
    // The count at the upper end.
    private let top: Int

    // In pixels.
    private static let (head, foot) = (44, 28)
    private var height: Int { plot.isLow ? 130 : 220 }
    // The distances of times on the axis, in seconds.
    private static let spans = [1, 5, 15, 30].map { $0 * 60 } + [1, 2, 3, 6, 12, 24, 48, 168].map { $0 * 3600 }
    // The greatest number of times on the axis, for which a phone has room.
    private static let tickLimit = 5
    // The least width of a band that has its name in it, and the room around a time, in hundredths of a percent.
    private static let (namedBand, room) = (900, 2400)

    init(_ plot: CurvePlot) {
        self.plot = plot
        top = Self.end(atLeast: plot.lines.flatMap(\.points).map(\.count).max() ?? 0)
    }

    // The least even number of one digit, or of two below 20, and zeros that reaches a count: half of it is a whole number, too.
    private static func end(atLeast count: Int) -> Int {
        var unit = 1
        while unit * 20 < count { unit *= 10 }
        return stride(from: 2, through: 20, by: 2).map { $0 * unit }.first { $0 >= count } ?? count
    }

    /// Draws the plot with its caption.
    func draw(in output: inout HTMLOutput) {
        output.element("figure", [("class", "plot")]) { output in
            drawKeys(in: &output)
            let attributes: [HTMLOutput.Attribute] = [
                ("width", "100%"), ("height", "\(Self.head + height + Self.foot)"), ("role", "img"),
                ("aria-label", description),
            ]
            output.picture(attributes) { output in
                drawBands(in: &output)
                drawGrid(in: &output)
                drawTimes(in: &output)
                drawLines(in: &output)
                if let mark = plot.mark { draw(mark, in: &output) }
            }
        }
        output.line()
    }

    private var description: String {
        let ends = plot.lines.map { "\($0.name) \(($0.points.last?.count ?? 0).grouped) by the end" }
        let mark = plot.mark.map { ["\($0.words) \($0.more), \($0.countWords)"] } ?? []
        return ([plot.title] + mark + ends).joined(separator: "; ")
    }

    private func drawKeys(in output: inout HTMLOutput) {
        output.element("figcaption") { output in
            for line in plot.lines.reversed() {
                output.element("span", [("class", "key")]) { output in
                    output.element("svg", [("width", "16"), ("height", "12"), ("aria-hidden", "true")]) { output in
                        output.element(
                            "line", [("x1", "0"), ("x2", "16"), ("y1", "6"), ("y2", "6")] + Self.stroke(line.tone),
                            text: "")
                    }
                    output.text(line.name)
                }
                output.text(" ")
            }
        }
    }

    // MARK: Places

    // In hundredths of a percent of the width.
    private func x(_ time: Instant) -> Int {
        max(0, min(10_000, (time - plot.from) * 10_000 / max(1, plot.to - plot.from)))
    }

    private func y(_ count: Int) -> Int { Self.head + height - count * height / top }

    private static func stroke(_ tone: ReportPlot.Tone) -> [HTMLOutput.Attribute] {
        switch tone {
        case .better: HTMLOutput.stroke("better", "#1a62b5") + [("stroke-width", "2.5")]
        case .worse: HTMLOutput.stroke("worse", "#b4470b") + [("stroke-width", "2.5")]
        case .neutral: HTMLOutput.stroke("neutral", "#828c9b") + [("stroke-width", "2"), ("stroke-dasharray", "5 4")]
        }
    }

    // MARK: Parts

    // Every other band has a ground of its own.
    private func drawBands(in output: inout HTMLOutput) {
        let ends = plot.bands.dropFirst().map { x($0.from) } + [10_000]
        for (index, (band, end)) in zip(plot.bands, ends).enumerated() {
            let from = x(band.from)
            guard end > from else { continue }
            if index % 2 == 0 {
                output.element(
                    "rect",
                    [
                        ("x", HTMLOutput.percent(from)), ("width", HTMLOutput.percent(end - from)), ("y", "0"),
                        ("height", "\(Self.head + height)"), ("class", "f-wash"), ("fill", "#828c9b"),
                        ("fill-opacity", ".1"),
                    ], text: "")
            }
            guard end - from >= Self.namedBand else { continue }
            output.element(
                "text",
                [
                    ("x", HTMLOutput.percent(from)), ("dx", "8"), ("y", "18"), ("class", "b"), ("font-weight", "600"),
                ], text: band.name)
        }
    }

    private func drawGrid(in output: inout HTMLOutput) {
        for count in [0, top / 2, top] {
            let line: [HTMLOutput.Attribute] = [
                ("x1", "0"), ("x2", "100%"), ("y1", "\(y(count))"), ("y2", "\(y(count))"),
            ]
            output.element(
                "line", line + HTMLOutput.stroke(count == 0 ? "line" : "rule", count == 0 ? "#bcc3cc" : "#e3e6ea"),
                text: "")
            guard count > 0 else { continue }
            let words = count == top ? "\(count.grouped) \(plot.unit)" : count.grouped
            output.element(
                "text", [("x", "0"), ("dx", "2"), ("y", "\(y(count) - 5)"), ("class", "f-muted")], text: words)
        }
    }

    private func drawTimes(in output: inout HTMLOutput) {
        let base = Self.head + height
        let length = plot.to - plot.from
        let span =
            Self.spans.first { length <= $0 * Self.tickLimit } ?? (length / Self.tickLimit / Instant.secondsPerDay + 1)
            * Instant.secondsPerDay
        let first = plot.from + (span - plot.from.secondsSinceEpoch % span)
        let even = stride(from: 0, through: max(0, plot.to - first), by: span).map { first + $0 }.filter {
            $0 <= plot.to && x($0) >= Self.room
        }
        for time in [plot.from] + even {
            output.line(at: x(time), from: base, to: base + 5, "line", "#bcc3cc")
            let isMidnight = time.secondsSinceEpoch % Instant.secondsPerDay == 0
            let words = isMidnight ? time.date.weekdayAndDay : ClockWords.hour(time)
            output.label(
                time == plot.from ? ClockWords.text(time, isDated: false) : words, at: x(time), y: base + 21,
                anchor: x(time) == 0 ? "start" : x(time) > 9500 ? "end" : "middle", isMuted: true)
        }
    }

    // Each line as steps: level up to a time at which the count is another one, and upright there.
    private func drawLines(in output: inout HTMLOutput) {
        for line in plot.lines {
            let changes = line.points.enumerated().filter { index, point in
                index == 0 || point.count != line.points[index - 1].count
            }.map(\.element)
            for (index, point) in changes.enumerated() {
                let end = index + 1 < changes.count ? changes[index + 1].time : plot.to
                if index > 0 {
                    draw(
                        line.tone, from: (x(point.time), y(changes[index - 1].count)),
                        to: (x(point.time), y(point.count)), in: &output)
                }
                draw(line.tone, from: (x(point.time), y(point.count)), to: (x(end), y(point.count)), in: &output)
            }
        }
    }

    private func draw(
        _ tone: ReportPlot.Tone, from: (x: Int, y: Int), to: (x: Int, y: Int), in output: inout HTMLOutput
    ) {
        output.element(
            "line",
            [
                ("x1", HTMLOutput.percent(from.x)), ("x2", HTMLOutput.percent(to.x)), ("y1", "\(from.y)"),
                ("y2", "\(to.y)"),
            ] + Self.stroke(tone), text: "")
    }

    private func draw(_ mark: CurvePlot.Mark, in output: inout HTMLOutput) {
        let (place, level) = (x(mark.time), y(mark.count))
        output.element(
            "line",
            [
                ("x1", HTMLOutput.percent(place)), ("x2", HTMLOutput.percent(place)), ("y1", "26"),
                ("y2", "\(Self.head + height)"),
            ] + HTMLOutput.stroke("ink", "currentColor") + [("stroke-width", "2")], text: "")
        output.element(
            "circle",
            [("cx", HTMLOutput.percent(place)), ("cy", "\(level)"), ("r", "6")] + PlotDrawing.paint(.worse), text: "")
        let isLeft = place > 6000
        func write(_ words: String, y: Int, isStrong: Bool) {
            let weight: [HTMLOutput.Attribute] =
                isStrong ? [("class", "b halo"), ("font-weight", "600")] : [("class", "halo")]
            output.element(
                "text",
                [
                    ("x", HTMLOutput.percent(place)), ("dx", isLeft ? "-10" : "10"), ("y", "\(y)"),
                    ("text-anchor", isLeft ? "end" : "start"),
                ] + weight, text: words)
        }
        write(mark.words, y: Self.head + 56, isStrong: true)
        write(mark.more, y: Self.head + 74, isStrong: false)
        write(mark.countWords, y: min(level + 22, Self.head + height - 8), isStrong: true)
    }
}
