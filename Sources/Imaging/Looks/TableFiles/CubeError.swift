/// Error in a `.cube` file, with place and remedy.
public struct CubeError: Error, Equatable, CustomStringConvertible {
    /// Line number from 1; nil if the error is not in a single line.
    public let line: Int?
    /// The problem, as a clause.
    public let problem: String
    /// The remedy, as a clause.
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
