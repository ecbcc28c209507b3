import Testing

/// Expects two values to be equal, and shows both where they are not.
///
/// A plain function, since a test has thousands of such comparisons: `expect(a, equals: b)`, a macro, takes the compiler ten times as long.
func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    if actual == expected { return }
    let reason = comment().map { "\n\($0)" } ?? ""
    Issue.record(
        "\(actual) is there, and not \(expected)\(reason)",
        sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}
