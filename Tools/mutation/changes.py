"""What an operator becomes, its precedence, and the types that it is tried for."""

COMPARABLE = "<T: Comparable>(a: T, b: T) -> Bool"
EQUATABLE = "<T: Equatable>(a: T, b: T) -> Bool"
BOOLEAN = "(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"
NUMBER = "<T: BinaryInteger>(a: T, b: T) -> T"
FIXED = "<T: FixedWidthInteger>(a: T, b: T) -> T"
SHIFT = "<T: FixedWidthInteger, U: BinaryInteger>(a: T, b: U) -> T"
FIXED_SHIFT = "<T: FixedWidthInteger>(a: T, b: T) -> T"
CHANGE = "<T: BinaryInteger>(a: inout T, b: T)"
INFIX = {
    "==": ("!=", "ComparisonPrecedence", EQUATABLE), "!=": ("==", "ComparisonPrecedence", EQUATABLE),
    "<": ("<=", "ComparisonPrecedence", COMPARABLE), "<=": ("<", "ComparisonPrecedence", COMPARABLE),
    ">": (">=", "ComparisonPrecedence", COMPARABLE), ">=": (">", "ComparisonPrecedence", COMPARABLE),
    "&&": ("||", "LogicalConjunctionPrecedence", BOOLEAN), "||": ("&&", "LogicalDisjunctionPrecedence", BOOLEAN),
    "+": ("-", "AdditionPrecedence", NUMBER), "-": ("+", "AdditionPrecedence", NUMBER),
    "*": ("+", "MultiplicationPrecedence", NUMBER), "/": ("*", "MultiplicationPrecedence", NUMBER),
    "%": ("/", "MultiplicationPrecedence", NUMBER), "&+": ("&-", "AdditionPrecedence", FIXED),
    "&-": ("&+", "AdditionPrecedence", FIXED), "&*": ("&+", "MultiplicationPrecedence", FIXED),
    "&": ("|", "MultiplicationPrecedence", NUMBER), "|": ("&", "AdditionPrecedence", NUMBER),
    "^": ("|", "AdditionPrecedence", NUMBER), "<<": (">>", "BitwiseShiftPrecedence", SHIFT),
    ">>": ("<<", "BitwiseShiftPrecedence", SHIFT), "&<<": ("&>>", "BitwiseShiftPrecedence", FIXED_SHIFT),
    "&>>": ("&<<", "BitwiseShiftPrecedence", FIXED_SHIFT), "+=": ("-=", "AssignmentPrecedence", CHANGE),
    "-=": ("+=", "AssignmentPrecedence", CHANGE), "|=": ("&=", "AssignmentPrecedence", CHANGE),
    "&=": ("|=", "AssignmentPrecedence", CHANGE), "^=": ("|=", "AssignmentPrecedence", CHANGE),
}
