// What is known of a photo, as sections of its page.

import { button, element } from "./elements.js";
import { preview } from "./pictures.js";
import { bytes, lookName, milliseconds } from "./words.js";

// revert(number) goes back to a revision; null where that is not allowed.
export function photoFacts(photo, { address, revert }) {
    return [
        revisions(photo, revert, address), siblings(photo, address),
        keywords(photo), section("Camera", pairs(photo.exif), true), section("Recipe", pairs(photo.recipe?.filter((line) => !isDigest(line)))),
        timing(photo), albums(photo), files(photo), details(photo),
    ].filter(Boolean);
}

function section(title, content, open = false) {
    if (content === null) return null;
    return element("details", { class: "facts", open }, element("summary", {}, element("h2", {}, title)), content);
}

function pairs(list) {
    if (!list || list.length === 0) return element("p", { class: "quiet" }, "No data.");
    return element("dl", { class: "pairs" }, list.map(({ name, value }) => [element("dt", {}, name), element("dd", {}, value)]).flat());
}

function revisions(photo, revert, address) {
    if (!photo.revisions || (photo.revisions.length < 2 && !photo.edit)) return null;
    return section("Revisions", element("ol", { class: "revisions" }, photo.revisions.map((revision) => element("li", {},
        element("span", {}, `${revision.number}. ${lookName(revision.look)}${revision.parent ? ` (from ${revision.parent})` : ""}`),
        revision.current ? element("span", { class: "quiet" }, "shown now")
            : revert ? button("Restore", () => revert(revision.number), { class: "small" }) : null)),
    photo.edit ? element("li", { class: "edit", "data-state": photo.edit.state }, element("span", {}, lookName(photo.edit.look)),
        element("span", { class: "quiet" }, photo.edit.state === "failed" ? editProblem(photo.edit) : "being rendered")) : null), true);
}

// Why a photo did not become what was wished.
export const editProblem = (edit) => `${edit.message[0].toUpperCase()}${edit.message.slice(1)}. The photo is unchanged.`;

function siblings(photo, address) {
    if (!photo.siblings || photo.siblings.length === 0) return null;
    return section("Other renditions", element("ul", { class: "siblings" }, photo.siblings.map((other) => element("li", {},
        element("a", { href: address(other.id) },
            element("img", { src: preview(other, 120), alt: "", width: 96, height: 64, loading: "lazy", decoding: "async" }),
            element("span", {}, lookName(other.look)))))), true);
}

function timing(photo) {
    if (!photo.timing) return null;
    const most = Math.max(...photo.timing.map((stage) => stage.milliseconds), 0.001);
    const all = photo.timing.reduce((sum, stage) => sum + stage.milliseconds, 0);
    return section("Timing", [stageBars(photo.timing, most), element("p", { class: "quiet" }, `${milliseconds(all)} in all`)]);
}

// Bars of stages: name, bar, time.
export function stageBars(stages, most = Math.max(...stages.map((stage) => stage.milliseconds), 0.001)) {
    return element("ul", { class: "stages" }, stages.map(({ stage, milliseconds: time }) => {
        const bar = element("span", { class: "stage-bar" });
        bar.style.width = `${(100 * time) / most}%`;
        return element("li", {}, element("span", {}, stage), element("span", { class: "stage-track" }, bar), element("span", { class: "figure" }, milliseconds(time)));
    }));
}

function albums(photo) {
    if (!photo.albums || photo.albums.length === 0) return null;
    return section("Albums", element("ul", { class: "links" }, photo.albums.map((name) => element("li", {},
        element("a", { href: `#/albums/${encodeURIComponent(name)}` }, name)))));
}

function keywords(photo) {
    if (!photo.keywords || photo.keywords.length === 0) return null;
    return section("Keywords", element("ul", { class: "links keywords" }, photo.keywords.map((word) => element("li", {},
        element("a", { href: `#/gallery?${new URLSearchParams({ keyword: word })}` }, word)))), true);
}

function files(photo) {
    const name = ["library/photos", photo.folder, photo.name].filter(Boolean).join("/");
    const list = [{ name: "Photo", value: `${name}, ${bytes(photo.bytes)}` }];
    if (photo.raw) {
        list.push({ name: "RAW", value: `${photo.raw.file}, ${bytes(photo.raw.bytes)}${photo.raw.isThere ? "" : ": the file is missing. Restore it, or mount its folder."}` });
    }
    return section("Files", pairs(list));
}

const isDigest = ({ value }) => /^[0-9a-f]{32,}$/.test(value);

// What programs read.
function details(photo) {
    const digests = (photo.recipe ?? []).filter(isDigest);
    return section("Details", [pairs([{ name: "Asset", value: photo.asset }, ...digests]),
        photo.recipeText ? element("details", { class: "inner" }, element("summary", {}, "Recipe as text"), element("pre", {}, photo.recipeText)) : null]);
}
