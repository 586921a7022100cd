import ClusterControl
import CommandLineTool
import Runs

extension RunError: ErrorWithStatus {
    package var exitStatus: Int32 {
        switch cause {
        case .caller: ExitStatus.usage
        case .machine: ExitStatus.fault
        case .storage(let error): CommandFailure.status(error)
        }
    }
}

extension ControlError: ErrorWithStatus {
    package var exitStatus: Int32 { ExitStatus.usage }
}
