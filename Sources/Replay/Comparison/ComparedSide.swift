package import PolicyEngine

/// One side of a comparison, as far as names are needed for what it decided.
package struct ComparedSide {
    let engine: Engine
    package let symbols: SymbolTable

    package init(engine: Engine, symbols: SymbolTable) {
        self.engine = engine
        self.symbols = symbols
    }
}
