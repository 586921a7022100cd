package import Arguments
package import KafkaBroker

package struct BrokerAddress: ArgumentValue {
    package let value: KafkaAddress

    package init(argument: [UInt8]) throws(InvalidArgument) {
        do throws(KafkaSettingsError) {
            value = try KafkaAddress(String(decoding: argument, as: UTF8.self))
        } catch {
            throw InvalidArgument("kafka://host:port[,host:port] without a user's name")
        }
    }

    package var argumentText: String { value.description }
}
