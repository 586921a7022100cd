public import Digest
public import Jobs
package import LibraryTables

/// A part of a library to render again: its photos, their recipes, and its state.
public struct Campaign: Hashable, Sendable {
    /// The raw value is stored.
    public enum State: Int, Hashable, Sendable {
        /// `photos/` shows none of its renditions.
        case planned = 0
        /// `photos/` shows its renditions.
        case switched = 1
        /// `photos/` shows the earlier renditions again.
        case rolledBack = 2
        /// Unneeded renditions were removed; it cannot be changed any more.
        case ended = 3
    }

    package let number: Int64
    /// The name that a user gave it.
    public let name: String
    /// The selection, as text.
    public let selection: String
    /// The options of the picture, as text.
    public let changes: String
    /// The present state.
    public let state: State
    /// The engine that renders it.
    public let engine: UInt32
    /// The canary: photos rendered to measure the campaign, and the milliseconds they took on this machine alone.
    public let canary: (photos: Int, milliseconds: Int)

    /// Equal in all but the measurement.
    public static func == (a: Self, b: Self) -> Bool {
        a.number == b.number && a.name == b.name && a.state == b.state && a.engine == b.engine
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// One photo of a campaign.
public struct CampaignItem: Hashable, Sendable {
    package let id: TreeEntryID
    /// The rendition that was shown when the campaign was planned.
    public let old: RenditionKey
    /// The new recipe.
    public let recipe: Recipe
    /// The new rendition.
    public let new: RenditionKey
    /// SHA-256 of the RAW's bytes.
    public var asset: SHA256Value { id.asset }
    var newID: RenditionID { RenditionID(asset: asset, key: new) }
}

/// Why a campaign cannot be created, found or moved, with the remedy.
public enum CampaignError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name is in use.
    case exists(String)
    /// No campaign has the name.
    case unknown(String, known: [String])
    /// Names are 1 to 100 characters, without control characters.
    case name(String)
    /// Photos are not rendered yet.
    case incomplete(String, missing: Int)
    /// The campaign's state does not allow it.
    case state(String, Campaign.State)

    /// The cause and the remedy.
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
