import Processes
import RenderHost

/// What the render program says of itself.
struct RenderProgramFacts {
    /// Its path and level.
    let program: RenderProgram
    /// The libraries that only this program has.
    let libraries: [LoadedLibrary]
    /// Whether its LibRaw reads cameras that came after 2020.
    let knowsCamerasAfter2020: Bool
    /// Why it says nothing; nil where it does.
    let failure: RenderInquiryError?

    /// Starts it, and asks.
    init(_ program: RenderProgram) throws {
        self.program = program
        do {
            (libraries, knowsCamerasAfter2020) = try program.libraries()
            failure = nil
        } catch let error as RenderInquiryError {
            (libraries, knowsCamerasAfter2020, failure) = ([], true, error)
        }
    }
}
