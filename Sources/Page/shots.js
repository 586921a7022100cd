// Which of the files that were dropped belong to a RAW among them, by their names: the sidecar, the camera's JPEG, sound. They go where
// the RAW goes, and are none of the photos.

import { session } from "./session.js";

const nameOf = ({ file, name }) => name ?? file?.name ?? "?";
const base = (name) => name.lastIndexOf(".") > 0 ? name.slice(0, name.lastIndexOf(".")) : name;
const extension = (name) => name.slice(name.lastIndexOf(".") + 1).toLowerCase();

// files: [{ file, path, name }]. Returns those that stand for themselves, each with its companions.
export function withCompanions(files) {
    const raws = new Set(session().rawExtensions);
    const companions = new Set(session().companionExtensions);
    const shots = files.map((one) => ({ ...one, companions: [] }));
    const key = (one, name) => `${one.path}/${name}`;
    const byName = new Map();
    for (const shot of shots) {
        const name = nameOf(shot);
        if (!raws.has(extension(name))) continue;
        // Of several RAWs of a base name the first one has its JPEG.
        for (const known of [name, base(name)]) if (!byName.has(key(shot, known))) byName.set(key(shot, known), shot);
    }
    return shots.filter((shot) => {
        const name = nameOf(shot);
        const raw = companions.has(extension(name)) && shot.file ? byName.get(key(shot, base(name))) : undefined;
        raw?.companions.push(shot.file);
        return !raw;
    });
}
