internal import Documents

/// The schema of a kind of documents, as one walks down it: each form once, by its number.
struct DocumentSchema: Sendable {
    /// A form that a value may have.
    private struct Form: Sendable {
        var summary: String?
        var words: [String] = []
        var use: NameUse?
        var keyUses: [NameUse] = []
        var properties: [(name: String, forms: [Int])] = []
        // The properties by name.
        var indices: [String: Int] = [:]
        var items: [Int] = []
        /// The forms of the values of keys that are no properties; `nil` where there may be none.
        var others: [Int]?
    }

    private var forms: [Form] = []
    private let definitions: [String: JSONSchema]
    // The forms of definitions that were read.
    private var known: [String: [Int]] = [:]
    /// The forms of the whole document.
    private(set) var root: [Int] = []

    init(_ schema: JSONSchema, definitions: [(name: String, schema: JSONSchema)] = []) {
        self.definitions = Dictionary(definitions.map { ($0.name, $0.schema) }) { first, _ in first }
        root = add(schema)
    }

    // MARK: Reading

    // A reference and a choice are the forms that they name; the words for people beside them come first.
    private mutating func add(_ schema: JSONSchema) -> [Int] {
        let beside = JSONSchema(schema.members.filter { $0.name != "$ref" && $0.name != "anyOf" })
        let prefix = "#/$defs/"
        if let name = schema["$ref"]?.text {
            return (beside.members.isEmpty ? [] : [addForm(beside)]) + definition(String(name.dropFirst(prefix.count)))
        }
        guard let alternatives = schema["anyOf"]?.items else { return [addForm(schema)] }
        return (beside.members.isEmpty ? [] : [addForm(beside)])
            + alternatives.compactMap(\.schema).flatMap { add($0) }
    }

    private mutating func definition(_ name: String) -> [Int] {
        if let forms = known[name] { return forms }
        // One that names itself ends here.
        known[name] = []
        known[name] = definitions[name].map { add($0) } ?? []
        return known[name] ?? []
    }

    private mutating func addForm(_ schema: JSONSchema) -> Int {
        let number = forms.count
        var form = Form(summary: schema["description"]?.text, use: schema.nameUse)
        forms.append(form)
        form.words = (schema["enum"]?.items ?? []).compactMap { value in
            switch value {
            case .text(let text): text
            case .truth(let truth): "\(truth)"
            default: nil
            }
        }
        if case .map(let properties)? = schema["properties"] {
            for property in properties {
                form.indices[property.name] = form.properties.count
                form.properties.append((property.name, property.value.schema.map { add($0) } ?? []))
            }
        }
        form.items = schema["items"]?.schema.map { add($0) } ?? []
        form.others = schema["additionalProperties"]?.schema.map { add($0) }
        let keys = schema["propertyNames"]?.schema.map { add($0) } ?? []
        form.keyUses = [schema.keyUse].compactMap(\.self) + uses(of: keys)
        forms[number] = form
        return number
    }

    // MARK: Walking

    /// The forms of the items of lists of some forms.
    func items(of forms: [Int]) -> [Int] { forms.flatMap { self.forms[$0].items } }

    /// The forms of the value of a key, and the uses of the key itself as a name.
    func value(of key: String, in forms: [Int]) -> (forms: [Int], uses: [NameUse]) {
        var (inner, uses): ([Int], [NameUse]) = ([], [])
        for number in forms {
            if let index = self.forms[number].indices[key] {
                inner += self.forms[number].properties[index].forms
            } else if let others = self.forms[number].others {
                inner += others
                uses += self.forms[number].keyUses
            }
        }
        return (inner, uses)
    }

    /// The keys that a mapping of some forms may have, with the words for people on each.
    func keys(of forms: [Int]) -> [(name: String, summary: String?)] {
        var seen: Set<String> = []
        return forms.flatMap { self.forms[$0].properties }.filter { seen.insert($0.name).inserted }.map {
            ($0.name, summary(of: $0.forms))
        }
    }

    // MARK: Values

    /// The uses of texts of some forms as names.
    func uses(of forms: [Int]) -> [NameUse] { forms.compactMap { self.forms[$0].use } }

    /// The uses of those keys as names that are no properties of mappings of some forms.
    func keyUses(of forms: [Int]) -> [NameUse] { forms.flatMap { self.forms[$0].keyUses } }

    /// The words for people on a value.
    func summary(of forms: [Int]) -> String? { forms.lazy.compactMap { self.forms[$0].summary }.first }

    /// The words of which the value may be one, each once.
    func words(of forms: [Int]) -> [String] {
        forms.flatMap { self.forms[$0].words }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
