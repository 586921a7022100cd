import Arguments
import ClusterControl

extension ControlSender {
    init(_ values: ArgumentValues) throws { self.init(try BrokerOptions.commandTransport(values)) }
}
