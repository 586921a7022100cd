// The gallery: all photos of the library, and what narrows them down.

import { get } from "./api.js";
import { complain } from "./dialogs.js";
import { button, element, freshID, replace, say } from "./elements.js";
import { apart, burstOf } from "./photo-pages.js";
import { nothingHere, PhotoWall } from "./photo-wall.js";
import { count, stars } from "./words.js";

const names = ["where", "look", "camera", "lens", "taken", "state", "rating", "keyword", "bursts"];

export function showGallery(place, route) {
    let wall = null;
    const form = makeForm((values) => go(values));
    const box = element("div", { class: "wall-place" });
    replace(place, element("h1", { class: "unseen" }, "Gallery"), form.element, box);

    function go(values) {
        const kept = new URLSearchParams(names.filter((name) => values[name]).map((name) => [name, values[name]])).toString();
        const hash = kept ? `#/gallery?${kept}` : "#/gallery";
        if (location.hash === hash) show(values);
        else location.hash = hash;
    }

    function show(values) {
        wall?.close();
        form.show(values);
        form.problem(null);
        const { lens, ...filters } = values;
        if (lens) {
            const about = `lens like '%${lens.replaceAll("'", "''").replace(/[\\%_]/g, "\\$&")}%'`;
            filters.where = filters.where ? `(${filters.where}) and ${about}` : about;
        }
        wall = new PhotoWall(box, {
            title: "Gallery", filters: Object.fromEntries(names.filter((name) => filters[name]).map((name) => [name, filters[name]])),
            empty: () => names.some((name) => values[name])
                ? nothingHere("No photos match.", button("Show all photos", () => go({})))
                : nothingHere("Drop RAW files on this page, or run rawmill convert FOLDER with this library.",
                    element("a", { class: "button", href: "#/drop" }, "Import photos")),
            failed: (error) => {
                wall.number.textContent = "";
                if (error.status === 400) form.problem(error, lens ? 1 : 0);
                else complain(error);
            },
            openBurst: (photo) => go(apart(values, burstOf(photo))),
            searchKeys: [{ keys: ["/"], text: "Enter a condition", run: () => form.focus() },
                { keys: ["b"], text: "Group bursts, or show all their photos", run: () => go({ ...values, bursts: values.bursts ? "" : "together" }) }],
        });
        wall.start();
    }

    show(route.values);
    form.load();
    return {
        close: () => wall.close(),
        follow(next) {
            show(next.values);
            return true;
        },
    };
}

function makeForm(go) {
    const id = freshID("filter");
    const where = element("input", {
        id: `${id}-where`, class: "where", type: "search", spellcheck: "false", autocomplete: "off", autocapitalize: "none",
        placeholder: "camera like 'NIKON%' and taken < 2015", "aria-describedby": `${id}-problem`,
    });
    const look = select("Look", "any look");
    const camera = select("Camera", "any camera");
    const taken = element("input", { id: `${id}-taken`, list: `${id}-years`, placeholder: "any time", size: 9, title: "A year, month or day: 2019, 2019-07, 2019-07-14", autocomplete: "off" });
    const lens = element("input", { id: `${id}-lens`, placeholder: "any lens", size: 12, autocomplete: "off" });
    const state = select("State", "good and doubtful", [["good", "good"], ["degraded", "colours doubtful"]]);
    const rating = select("Rating", "any rating");
    const keyword = element("input", { id: `${id}-keyword`, list: `${id}-keywords`, placeholder: "any keyword", size: 12, autocomplete: "off", spellcheck: "false" });
    const bursts = element("input", { type: "checkbox", id: `${id}-bursts` });
    const keywords = element("datalist", { id: `${id}-keywords` });
    const years = element("datalist", { id: `${id}-years` });
    const problem = element("div", { class: "problem", id: `${id}-problem`, role: "alert" });
    const labelled = (text, input) => element("label", { class: "field" }, element("span", {}, text), input);
    const form = element("form", { class: "filters", role: "search", "aria-label": "Photos" },
        element("div", { class: "filter-row" },
            element("label", { class: "field grow" }, element("span", {}, "Where"), where),
            button("Show", () => {}, { type: "submit" })),
        element("div", { class: "filter-row facets" },
            look.element, camera.element, labelled("Lens", lens), labelled("Taken", taken), state.element, rating.element,
            labelled("Keyword", keyword), years, keywords,
            element("label", { class: "checkbox", title: "Show one photo per burst: the one with most stars, or the first (B)" }, bursts, "bursts as one"),
            button("Show all", () => go({}), { class: "plain" })),
        problem);
    const values = () => ({
        where: where.value.trim(), look: look.input.value, camera: camera.input.value, lens: lens.value.trim(),
        taken: taken.value.trim(), state: state.input.value, rating: rating.input.value, keyword: keyword.value.trim(),
        bursts: bursts.checked ? "together" : "",
    });
    const changed = () => go(values());
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        changed();
    });
    for (const input of [look.input, camera.input, state.input, rating.input, taken, lens, keyword, bursts]) input.addEventListener("change", changed);
    where.addEventListener("search", () => where.value === "" && changed());
    return {
        element: form,
        focus: () => where.focus(),
        show(given) {
            where.value = given.where ?? "";
            look.set(given.look);
            camera.set(given.camera);
            lens.value = given.lens ?? "";
            taken.value = given.taken ?? "";
            state.set(given.state);
            rating.set(given.rating);
            keyword.value = given.keyword ?? "";
            bursts.checked = given.bursts === "together";
        },
        // A mistake is shown with its place: the text up to it, the place itself, the rest.
        problem(error, offset) {
            where.setAttribute("aria-invalid", String(error !== null));
            if (!error) return replace(problem);
            const text = where.value;
            const at = error.column ? Math.max(0, error.column - 1 - offset) : null;
            replace(problem, element("p", {}, error.message, error.remedy ? ` ${error.remedy}` : ""),
                at === null || text === "" ? null : element("pre", { class: "place" },
                    text.slice(0, at), element("mark", {}, text.slice(at, at + 1) || "␣"), text.slice(at + 1)));
            if (at !== null && at <= text.length) {
                where.focus();
                where.setSelectionRange(at, Math.min(text.length, at + 1));
            }
        },
        async load() {
            try {
                const facets = await get("/v1/facets");
                look.offer(facets.looks.map(({ value, count: number }) => [value, `${value.replace(/@1$/, "")} · ${count(number)}`]));
                camera.offer(facets.cameras.map(({ value, count: number }) => [value, `${value} · ${count(number)}`]));
                rating.offer(leastRatings(facets.ratings));
                suggest(years, facets.years);
                suggest(keywords, facets.keywords, ({ value, count: number }) => `${value} · ${count(number)}`);
            } catch (error) {
                complain(error);
            }
        },
    };
}

function suggest(list, entries, label = () => "") {
    replace(list, entries.map((entry) => {
        const option = element("option");
        option.value = entry.value;
        if (label(entry)) option.label = label(entry);
        return option;
    }));
}

// What there is to choose by the least number of stars, and how many photos have as many or more.
function leastRatings(ratings) {
    const known = ratings.map(({ value, count: number }) => ({ rating: Number(value), number }));
    return [5, 4, 3, 2, 1, 0].map((least) => {
        const number = known.reduce((sum, entry) => entry.rating >= least ? sum + entry.number : sum, 0);
        const text = least === 0 ? "not rejected" : least === 5 ? stars(5) : `${stars(least)} or more`;
        return { least, number, text };
    }).filter(({ least, number }) => number > 0 && (least > 0 || known.some(({ rating }) => rating < 0)))
        .map(({ least, number, text }) => [String(least), `${text} · ${count(number)}`]);
}

function select(text, any, choices = []) {
    const input = element("select");
    let wanted = "";
    const offer = (list) => {
        const known = list.some(([value]) => value === wanted) || !wanted ? list : [[wanted, wanted], ...list];
        replace(input, [["", any], ...known].map(([value, label]) => {
            const option = element("option");
            option.value = value;
            say(option, label);
            return option;
        }));
        input.value = wanted;
    };
    offer(choices);
    return {
        element: element("label", { class: "field" }, element("span", {}, text), input),
        input,
        offer(list) {
            choices = list;
            offer(list);
        },
        set(value) {
            wanted = value ?? "";
            offer(choices);
        },
    };
}
