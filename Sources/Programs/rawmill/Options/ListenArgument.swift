import Arguments
import Web

/// `ADDRESS:PORT`
struct ListenArgument: ArgumentValue {
    let address: ListenAddress

    init(_ address: ListenAddress) { self.address = address }

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let address = ListenAddress(String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("an address and a port: :9464, 127.0.0.1:9464, [::1]:9464")
        }
        self.address = address
    }

    var argumentText: String { "\(address)" }
}

extension ListenArgument {
    /// The usual address of a page.
    static let page = ListenArgument(.thisMachine(port: 7420))
}
