/// What is wrong with a `.cube` file, where, and what to do.
public struct CubeError: Error, Equatable, CustomStringConvertible {
    /// The line at fault, counted from 1; nil where no single line is.
    public let line: Int?
    /// What is wrong, as a part of a sentence.
    public let problem: String
    /// What a person can do, as a part of a sentence.
    public let remedy: String

    init(line: Int? = nil, _ problem: String, _ remedy: String) {
        self.line = line
        self.problem = problem
        self.remedy = remedy
    }

    /// Line, problem and remedy in one sentence.
    public var description: String {
        let location = line.map { "line \($0): " } ?? ""
        return "\(location)\(problem); \(remedy)"
    }
}
