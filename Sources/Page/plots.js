// Plots of the last hour, drawn by dygraphs where Debian's package is installed.

import { element, replace, say } from "./elements.js";
import { clock } from "./words.js";

const hour = 3_600_000;
const longestGap = 60_000;
let loading = null;

function loadDygraphs() {
    loading ??= new Promise((resolve, reject) => {
        document.head.append(element("link", { rel: "stylesheet", href: "/dygraphs/dygraph.css" }));
        document.head.append(element("script", {
            src: "/dygraphs/dygraph.min.js", onload: () => resolve(prepared(window.Dygraph)), onerror: () => { loading = null; reject(new Error("no dygraphs")); },
        }));
    });
    return loading;
}

// Its legend writes style attributes, which this page's policy forbids; the figure above each plot is the legend.
function prepared(Dygraph) {
    Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
    return Dygraph;
}

// plots: [{ title, fields: [{ name, label, colour }], read: (number) → text, axis: the same for its axis }]
export class Plots {
    constructor(place, plots) {
        this.place = place;
        this.rows = [];
        this.fields = [];
        this.panels = plots.map((plot) => {
            const figure = element("span", { class: "figure" });
            const box = element("div", { class: "plot-box", role: "img", "aria-label": `${plot.title} in the last hour` });
            return { ...plot, figure, box, element: element("figure", { class: "plot" }, element("figcaption", {}, element("span", {}, plot.title), figure), box) };
        });
        replace(place, this.panels.map((panel) => panel.element));
        this.scheme = matchMedia("(prefers-color-scheme: dark)");
        this.recolour = () => this.draw(true);
        this.scheme.addEventListener("change", this.recolour);
    }

    async start({ fields, rows }) {
        this.fields = fields;
        const merged = new Map([...rows, ...this.rows].map((row) => [row[0], row]));
        this.rows = [...merged.values()].sort((a, b) => a[0] - b[0]);
        try {
            this.Dygraph = await loadDygraphs();
        } catch {
            replace(this.place, element("p", { class: "strip" }, "Plots need dygraphs: run apt install libjs-dygraphs, then reload this page."));
            return;
        }
        if (this.closed) return;
        this.draw(true);
    }

    add(row) {
        const last = this.rows.at(-1);
        if (last && row[0] - last[0] < 900) return;
        this.rows.push(row);
        while (this.rows.length > 0 && this.rows[0][0] < row[0] - hour) this.rows.shift();
        if (!document.hidden) this.draw(false);
    }

    // Where nothing was noted for a while, the line has a gap.
    data(panel) {
        const columns = panel.fields.map((field) => this.fields.indexOf(field.name));
        const data = [];
        let last = null;
        for (const row of this.rows) {
            if (last !== null && row[0] - last > longestGap) data.push([new Date(last + 1), ...columns.map(() => null)]);
            data.push([new Date(row[0]), ...columns.map((column) => row[column] ?? null)]);
            last = row[0];
        }
        return data.length > 0 ? data : [[new Date(), ...columns.map(() => null)]];
    }

    draw(anew) {
        if (!this.Dygraph || this.fields.length === 0) return;
        const now = Math.max(Date.now(), this.rows.at(-1)?.[0] ?? 0);
        const style = getComputedStyle(document.documentElement);
        for (const panel of this.panels) {
            const data = this.data(panel);
            const top = Math.max(...this.rows.map((row) => Math.max(...panel.fields.map((field) => row[this.fields.indexOf(field.name)] ?? 0))), panel.least ?? 1);
            const changing = { file: data, dateWindow: [now - hour, now], valueRange: [0, top * 1.12] };
            if (panel.graph && !anew) panel.graph.updateOptions(changing);
            else {
                panel.graph?.destroy();
                panel.graph = new this.Dygraph(panel.box, data, {
                    ...changing, labels: ["time", ...panel.fields.map((field) => field.label)],
                    colors: panel.fields.map((field) => style.getPropertyValue(field.colour).trim()),
                    legend: "never", strokeWidth: 1.5, fillGraph: panel.fields.length === 1, fillAlpha: 0.14, highlightCircleSize: 3,
                    gridLineColor: style.getPropertyValue("--line").trim(), gridLineWidth: 1, axisLineColor: style.getPropertyValue("--line").trim(),
                    interactionModel: {}, connectSeparatedPoints: false, rightGap: 2,
                    axes: { x: { pixelsPerLabel: 70, axisLabelFormatter: clock }, y: { axisLabelWidth: 52, pixelsPerLabel: 34, axisLabelFormatter: panel.axis ?? panel.read } },
                    highlightCallback: (_, x, points) => this.tell(panel, x, points.map((point) => point.yval)),
                    unhighlightCallback: () => this.tellNow(panel),
                });
            }
            if (panel.held !== true) this.tellNow(panel);
        }
    }

    tell(panel, time, values) {
        panel.held = true;
        say(panel.figure, `${this.words(panel, values)} at ${clock(time)}`);
    }

    tellNow(panel) {
        panel.held = false;
        const row = this.rows.at(-1);
        say(panel.figure, row ? this.words(panel, panel.fields.map((field) => row[this.fields.indexOf(field.name)])) : "");
    }

    words(panel, values) {
        return panel.fields.map((field, at) => `${panel.read(values[at] ?? 0)}${panel.fields.length > 1 ? ` ${field.label}` : ""}`).join(", ");
    }

    close() {
        this.closed = true;
        this.scheme.removeEventListener("change", this.recolour);
        for (const panel of this.panels) panel.graph?.destroy();
    }
}
