/// What is wrong with a `.cube` file, where, and what to do.
public struct CubeError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1; nil where no single line is at fault.
    public let line: Int?
    public let problem: String
    public let remedy: String

    init(line: Int? = nil, _ problem: String, _ remedy: String) {
        self.line = line
        self.problem = problem
        self.remedy = remedy
    }

    public var description: String {
        let place = line.map { "line \($0): " } ?? ""
        return "\(place)\(problem); \(remedy)"
    }
}
