// Orders for photos to be developed anew, and where a photo went that was edited.

import { get, post, query } from "./api.js";
import { notice } from "./dialogs.js";
import { counted } from "./words.js";

// Orders the changes for all photos; they change all at once, when the last is rendered.
export async function order(photos, changes) {
    const answer = await post("/v1/photos/edit", { photos, changes });
    notice(`${counted(photos.length, "photo")} ${photos.length === 1 ? "is" : "are"} being rendered.`,
        { remedy: photos.length === 1 ? "A preview is shown until it is done." : "Previews are shown until all are finished." });
    return answer.order;
}

// The id under which a photo is shown now: its own, or a later revision's.
export async function currentID(photo) {
    try {
        const now = await get(`/v1/photos/${encodeURIComponent(photo.id)}`);
        return now.revisions?.find((revision) => revision.current)?.id ?? now.id;
    } catch (error) {
        if (error.status !== 404) throw error;
    }
    const { photos } = await get(`/v1/photos${query({ where: `asset = '${photo.asset}' and frame = ${photo.frame}`, limit: 50 })}`);
    return (photos.find((other) => other.look === photo.look) ?? photos[0])?.id ?? null;
}
