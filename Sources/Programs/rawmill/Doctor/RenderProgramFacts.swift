import Processes
import RenderHost

struct RenderProgramFacts {
    let program: RenderProgram
    /// The libraries that only the render program has.
    let libraries: [LoadedLibrary]
    /// Whether its LibRaw supports cameras released after 2020.
    let knowsCamerasAfter2020: Bool
    /// Why there is no report; nil if there is one.
    let failure: RenderInquiryError?

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
