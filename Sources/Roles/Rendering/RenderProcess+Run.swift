public import RenderHost

extension RenderProcess {
    /// Renders until the worker is gone, and returns the exit status. `arguments` follow the subcommand.
    public static func run(_ arguments: [String]) -> Int32 {
        do throws(RenderSession.Exit) {
            var session = try RenderSession(arguments: arguments)
            while let request = session.nextRequest(), session.render(request) {}
            return 0
        } catch {
            return error.status
        }
    }
}
