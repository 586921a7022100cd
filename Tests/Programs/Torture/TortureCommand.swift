import Arguments
import CommandLineTool
import Telemetry

/// `rawmill torture`: proves Rawmill's promises on this machine.
enum TortureCommand {
    static let command: Command = Command(
        "rawmill-torture", summary: "Starts a cluster on this machine, harms it, and checks that nothing is lost.",
        discussion: """
            The brokers are its own: librdkafka's mock cluster, or what --kafka-command starts. The mock cluster cannot take \
            every harm: stop, broker, topics and all need a real Kafka; errors needs the mock cluster. Settings files and \
            Rawmill's environment variables have no effect, so that a configured cluster is never touched.

            Exit status: 0 every promise held, 3 one did not: logs and library stay in the folder.
            """,
        examples: [
            .init("rawmill torture --scenario kill --jobs 10000 --harms 200", "200 times kill -9"),
            .init("rawmill torture --scenario all --kafka-command ./kafka --seed 7", "everything, over a real Kafka"),
        ],
        parameters: TortureOptions.all
    ) { values in
        try ClusterGuard.start()
        let status = try await Interrupts.shared.cancelling { try await TortureSession(values).run() }
        if status == ExitStatus.interrupted {
            TextOutput.standardError.write(line: "Interrupted. The cluster is ended; its folder stays.")
        }
        return status
    }
}
