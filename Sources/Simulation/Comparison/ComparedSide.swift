internal import PolicyEngine

/// One side of a comparison, as far as names are needed for what it decided.
struct ComparedSide {
    let engine: Engine
    let symbols: SymbolTable
}
