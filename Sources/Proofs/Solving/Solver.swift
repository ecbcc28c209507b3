// The one file that knows Z3.
internal import CZ3

/// Finds values of variables with which statements hold, by Z3; for one thread at a time.
@safe
final class Solver {
    // SAFETY: made in `init`, freed in `deinit`, never handed out but to Z3; the class is not `Sendable`. Terms live as long
    // as their context, since that does not count references to them.
    private let z3: z3_functions
    private let context: Z3_context
    private let solver: Z3_solver
    private let variables: [Z3_ast?]

    /// The answer of Z3.
    enum Answer {
        /// The variables have these values.
        case values([Bool])
        /// There are none.
        case none
        /// It gave up; its reason.
        case undecided(String)
    }

    private static let library = load(["libz3.so.4", "libz3.so", "libz3.dylib"])

    /// True if the library of Z3 is installed. It is loaded here, if it was not before.
    static var isInstalled: Bool { library != nil }

    /// True if one of these libraries is Z3: names that the system looks for, or paths.
    static func isZ3(oneOf names: [String]) -> Bool { load(names) != nil }

    // Loads the first library that is Z3, which stays for as long as the process.
    private static func load(_ names: [String]) -> z3_functions? {
        // SAFETY: the functions are those of a library that stays; they are copied.
        names.lazy.compactMap { unsafe z3_load($0)?.pointee }.first
    }

    /// Begins to look for values; `nil` where Z3 cannot be started.
    ///
    /// - Parameter constraints: The statements that must hold.
    init?(_ constraints: Constraints) {
        guard let z3 = Self.library else { return nil }
        let configuration = unsafe z3.mk_config()
        let made = unsafe z3.mk_context(configuration)
        unsafe z3.del_config(configuration)
        guard let made = unsafe made else { return nil }
        // An error leaves a null pointer, and does not end the process.
        unsafe z3.set_error_handler(made, nil)
        // A solver for booleans and counts of booleans.
        guard let solver = unsafe z3.mk_solver_for_logic(made, z3.mk_string_symbol(made, "QF_FD")) else {
            unsafe z3.del_context(made)
            return nil
        }
        unsafe z3.solver_inc_ref(made, solver)
        let boolean = unsafe z3.mk_bool_sort(made)
        unsafe (self.z3, context, self.solver) = (z3, made, solver)
        unsafe variables = unsafe (0..<constraints.variableCount).map { number in
            unsafe z3.mk_const(made, z3.mk_int_symbol(made, Int32(number)), boolean)
        }
        for statement in constraints.statements { require(statement) }
        for alternatives in constraints.alternatives {
            require(.disjunction(alternatives))
            requireAtMost(1, of: alternatives.map { ($0, 1) })
        }
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe z3.solver_dec_ref(context, solver)
        unsafe z3.del_context(context)
    }

    /// Demands a statement, too.
    func require(_ formula: Formula) { unsafe z3.solver_assert(context, solver, term(formula)) }

    /// Demands that the weights of those that hold sum up to no more than a limit.
    func requireAtMost(_ limit: Int, of parts: [(formula: Formula, weight: Int)]) {
        let counted = parts.filter { $0.weight > 0 && $0.formula.constant != false }
        guard !counted.isEmpty else { return }
        let terms = unsafe counted.map { unsafe term($0.formula) }
        let weights = counted.map { Int32(clamping: $0.weight) }
        // SAFETY: Z3 reads `counted.count` terms and weights, during the call.
        unsafe z3.solver_assert(
            context, solver,
            z3.mk_pble(context, UInt32(counted.count), terms, weights, Int32(clamping: limit)))
    }

    /// Begins demands that can be taken back.
    func push() { unsafe z3.solver_push(context, solver) }

    /// Takes back the demands since the latest ``push()``.
    func pop() { unsafe z3.solver_pop(context, solver, 1) }

    /// Looks for values, again where Z3 gives up early.
    ///
    /// - Returns: `nil` where there are none.
    func values(_ budget: ProofBudget) throws(Undecided) -> [Bool]? {
        try Self.values(budget) { check(within: $0, seed: $1) }
    }

    // If Z3 gives up at once each time, another try is no use.
    private static let attempts: UInt32 = 50

    /// Asks until there is an answer, as long as there is time.
    ///
    /// - Parameter ask: Gets how long it may take, in milliseconds, and the number of the attempt.
    /// - Returns: `nil` where there are no values.
    static func values(
        _ budget: ProofBudget, asking ask: (UInt32, UInt32) -> Answer
    ) throws(Undecided) -> [Bool]? {
        var reason = ""
        for attempt in 0..<attempts {
            try budget.check(.devices)
            switch ask(budget.milliseconds, attempt) {
            case .values(let values): return values
            case .none: return nil
            case .undecided(let words): reason = words
            }
        }
        throw .solver(reason)
    }

    private func check(within milliseconds: UInt32, seed: UInt32) -> Answer {
        limit(to: milliseconds, seed: seed)
        switch unsafe z3.solver_check(context, solver) {
        case Z3_L_TRUE: break
        case Z3_L_FALSE: return .none
        default: return .undecided(reason)
        }
        guard let model = unsafe z3.solver_get_model(context, solver) else { return .undecided(reason) }
        unsafe z3.model_inc_ref(context, model)
        defer { unsafe z3.model_dec_ref(context, model) }
        return .values(
            unsafe variables.map { variable in
                var value: Z3_ast?
                guard unsafe z3.model_eval(context, model, variable, true, &value) else { return false }
                return unsafe z3.get_bool_value(context, value) == Z3_L_TRUE
            })
    }

    private var reason: String {
        // SAFETY: Z3 gives a text that ends with a zero and lives until its next call; it is copied here.
        unsafe z3.solver_get_reason_unknown(context, solver).map { unsafe String(cString: $0) } ?? ""
    }

    private func limit(to milliseconds: UInt32, seed: UInt32) {
        let parameters = unsafe z3.mk_params(context)
        unsafe z3.params_inc_ref(context, parameters)
        unsafe z3.params_set_uint(context, parameters, z3.mk_string_symbol(context, "timeout"), milliseconds)
        unsafe z3.params_set_uint(context, parameters, z3.mk_string_symbol(context, "random_seed"), seed)
        // Signals are for the caller of this program.
        unsafe z3.params_set_bool(context, parameters, z3.mk_string_symbol(context, "ctrl_c"), false)
        unsafe z3.solver_set_params(context, solver, parameters)
        unsafe z3.params_dec_ref(context, parameters)
    }

    private func term(_ formula: Formula) -> Z3_ast? {
        switch formula {
        case .constant(let value): return unsafe value ? z3.mk_true(context) : z3.mk_false(context)
        case .variable(let number): return unsafe variables[number]
        case .not(let inner): return unsafe z3.mk_not(context, term(inner))
        case .all(let parts):
            let terms = unsafe parts.map { unsafe term($0) }
            // SAFETY: Z3 reads `terms.count` terms, during the call.
            return unsafe z3.mk_and(context, UInt32(terms.count), terms)
        case .any(let parts):
            let terms = unsafe parts.map { unsafe term($0) }
            // SAFETY: as above.
            return unsafe z3.mk_or(context, UInt32(terms.count), terms)
        }
    }
}
