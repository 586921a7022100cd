public import Digest
public import Jobs

/// A part of a library that is developed anew: which photos, with which recipes, and how far it is.
public struct Campaign: Hashable, Sendable {
    /// What has become of it. The raw value is stored.
    public enum State: Int, Hashable, Sendable {
        /// Its photos are rendered, or will be, and none is shown.
        case planned = 0
        /// `photos/` shows what it made.
        case switched = 1
        /// `photos/` shows what was there before.
        case rolledBack = 2
        /// What nothing needs of it was freed; there is no way back.
        case ended = 3
    }

    let number: Int64
    /// As a person called it.
    public let name: String
    /// The photos, as a person selected them.
    public let selection: String
    /// The options of the picture, as a person gave them.
    public let changes: String
    /// What has become of it.
    public let state: State
    /// The engine that renders it.
    public let engine: UInt32
    /// Photos that were rendered to measure it, and the milliseconds that they took with this machine to themselves.
    public let canary: (photos: Int, milliseconds: Int)

    /// Equal if all but the measurement is.
    public static func == (a: Self, b: Self) -> Bool {
        a.number == b.number && a.name == b.name && a.state == b.state && a.engine == b.engine
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// One photo of a campaign.
public struct CampaignItem: Hashable, Sendable {
    let id: TreeEntryID
    /// The rendition that was shown when the campaign was planned.
    public let old: RenditionKey
    /// The recipe that it gets.
    public let recipe: Recipe
    /// The rendition that it gets.
    public let new: RenditionKey
    /// SHA-256 of the RAW's bytes.
    public var asset: SHA256Value { id.asset }
    /// The asset and the key of the rendition that it gets.
    var newID: RenditionID { RenditionID(asset: asset, key: new) }
}

/// Why a campaign cannot be made, found or moved, with the remedy.
public enum CampaignError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A campaign has that name already.
    case exists(String)
    /// No campaign has that name.
    case unknown(String, known: [String])
    /// Names are 1 to 100 characters, without control characters.
    case name(String)
    /// Not all of its photos are rendered.
    case incomplete(String, missing: Int)
    /// It is not in a state for that.
    case state(String, Campaign.State)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .exists(let name): "there is a campaign \"\(name)\" already: choose another name."
        case .unknown(let name, let known):
            "there is no campaign \"\(name)\". "
                + (known.isEmpty
                    ? "`rawmill campaign plan` makes one." : "There are: \(known.joined(separator: ", ")).")
        case .name(let name): "\"\(name)\" cannot be a campaign's name: 1 to 100 characters, and no control characters."
        case .incomplete(let name, let missing):
            "\(missing) of its photos are not rendered: `rawmill campaign run \(name)` renders them, --partial shows the "
                + "others without them."
        case .state(_, .planned): "it was not switched to: there is nothing to go back from."
        case .state(_, .switched): "its photos are shown already."
        case .state(_, .rolledBack): "it was rolled back already."
        case .state(_, .ended): "it has ended, and its other renditions were freed: plan a new one."
        }
    }
}
