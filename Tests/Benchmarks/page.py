"""The comparison as one HTML page."""
import html

COLUMNS = [
    ("L* spread", lambda f: f"{f['spread']:.1f}"), ("p1", lambda f: f"{f['p1']:.1f}"),
    ("p50", lambda f: f"{f['p50']:.1f}"), ("p99", lambda f: f"{f['p99']:.1f}"), ("C*", lambda f: f"{f['chroma']:.1f}"),
    ("near-white", lambda f: _swatch(f["near_white"])), ("its C*", lambda f: f"{f['near_white_chroma']:.1f}"),
    ("its hue", lambda f: f"{f['near_white_hue']:.0f}°"), ("brightest 1 %", lambda f: _swatch(f["brightest"])),
    ("light and pink", lambda f: f"{f['pink']:.2f} %"),
    ("chart ΔE", lambda f: f"{f['chart'][0]:.2f}" if "chart" in f else ""),
    ("of colour alone", lambda f: f"{f['chart'][1]:.2f}" if "chart" in f else ""),
]
STYLE = """body { font: 14px sans-serif; margin: 2em } table { border-collapse: collapse } img { max-width: 100% }
td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd } td:first-child { text-align: left }
.swatch { display: inline-block; width: 3em; height: 1em; vertical-align: middle; border: 1px solid #999 }
p.why { color: #a03000; margin: 2px 0 }"""
EXPLAINED = """L* is CIELAB's, of the pictures scaled down to 1200 pixels: its standard deviation and percentiles; C*
is the mean chroma. Near-white are the pixels whose luma is in the top 1 to 5 per cent: mean sRGB, and that colour's
C* and hue (0 red to pink, 90 yellow, 180 green, 270 blue). Light and pink: L* above three quarters of p99, C* above
5, hue from 300 to 30 degrees. The chart's ΔE2000 is the mean of the 24 patches at the exposure that minimises it, and
with the right lightness given to each."""


def write(path, heading, rows, sheets):
    """`rows`: dictionaries with a name, figures by contender, notes and the names of sheets; `sheets`: descriptions
    of the sheets."""
    parts = [f"<!DOCTYPE html><meta charset=utf-8><title>Pictures</title><style>{STYLE}</style><h1>Pictures</h1>"]
    parts += [f"<p>{html.escape(line)}</p>" for line in heading] + [f"<p>{EXPLAINED}</p>"]
    for row in rows:
        parts.append(f"<h2 id='{html.escape(row['name'])}'>{html.escape(row['name'])}</h2>")
        parts += [f"<p class=why>{html.escape(note)}</p>" for note in row["notes"]]
        if row["figures"]:
            parts.append(_table(row["figures"]))
        parts += [f"<h3>{html.escape(sheets[kind])}</h3><a href='{html.escape(file)}'><img src='{html.escape(file)}'></a>"
                  for kind, file in row["sheets"].items()]
    with open(path, "w") as f:
        f.write("\n".join(parts) + "\n")


def markdown(rows):
    """The same figures for a terminal or a document."""
    text = []
    for row in rows:
        text += [f"## {row['name']}", "", *(f"- {note}" for note in row["notes"])]
        if row["figures"]:
            text += ["", "| | " + " | ".join(name for name, _ in COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
            text += [f"| {name} | " + " | ".join(_plain(cell(f)) for _, cell in COLUMNS) + " |"
                     for name, f in row["figures"].items()]
        text.append("")
    return "\n".join(text)


def _table(figures):
    head = "".join(f"<th>{html.escape(name)}</th>" for name, _ in COLUMNS)
    body = "".join(f"<tr><td>{html.escape(name)}</td>" + "".join(f"<td>{cell(f)}</td>" for _, cell in COLUMNS) + "</tr>"
                   for name, f in figures.items())
    return f"<table><tr><th></th>{head}</tr>{body}</table>"


def _swatch(rgb):
    said = "/".join(f"{v:.0f}" for v in rgb)
    return f"<span class=swatch style='background: rgb({said.replace('/', ',')})'></span> {said}"


def _plain(cell):
    return cell.rsplit("> ", 1)[-1]
