"""Converts a photo to a camera's RAW: camera colours, a filter array, and a plain DNG.

sRGB → linear light → camera colours of a D750-like sensor (0.95 of saturation for white) → one colour per sample →
optional sensor noise → 14-bit counts above black. The inverse is exact, so an interpolation can be compared with the
photo itself."""
import struct

import numpy as np
from PIL import Image

BLACK, WHITE = 512, 16383
EXPOSURE = 0.95
FULL_WELL, READ_NOISE = 12_000, 3.0
XYZ_TO_CAMERA = np.array([[0.9020, -0.2890, -0.0715], [-0.4535, 1.2436, 0.2348], [-0.0934, 0.1919, 0.7086]])
RGB_TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                       [0.0193339, 0.1191920, 0.9503041]])
RGB_TO_CAMERA = XYZ_TO_CAMERA @ RGB_TO_XYZ
WHITE_RESPONSE = RGB_TO_CAMERA.sum(1)
NEUTRAL = WHITE_RESPONSE / WHITE_RESPONSE[1]
RGB_TO_BALANCED = RGB_TO_CAMERA / WHITE_RESPONSE[:, None]

BAYER = ["RG", "GB"]
X_TRANS = ["GBGGRG", "RGRBGB", "GBGGRG", "GRGGBG", "BGBRGR", "GRGGBG"]


def read_photo(path):
    """8-bit sRGB; photos more than 2,000 pixels wide are halved, because a camera's own JPEG was itself interpolated."""
    picture = Image.open(path).convert("RGB")
    if picture.width > 2000:
        picture = picture.resize((picture.width // 2, picture.height // 2), Image.LANCZOS)
    return np.asarray(picture)


def decode_srgb(values):
    v = np.arange(256) / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4).astype(np.float32)[values]


def encode_srgb(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055) * 255


def pattern_numbers(pattern):
    return np.array([["RGB".index(c) for c in row] for row in pattern], np.uint8)


def mosaic(photo, pattern, noise_seed=None, full_well=FULL_WELL):
    """Sensor counts of an 8-bit sRGB photo, height × width; `full_well`: electrons of a saturated sample."""
    return expose(decode_srgb(photo), pattern, noise_seed, full_well)


def expose(light, pattern, noise_seed=None, full_well=FULL_WELL):
    """Sensor counts of linear sRGB, clipped at the sensor's limit."""
    camera = np.maximum(light.astype(np.float32) @ RGB_TO_CAMERA.T.astype(np.float32), 0)
    camera *= EXPOSURE / WHITE_RESPONSE[1]
    height, width, _ = light.shape
    numbers = pattern_numbers(pattern)
    edge = len(numbers)
    colour = np.tile(numbers, (-(-height // edge), -(-width // edge)))[:height, :width]
    light = np.take_along_axis(camera, colour[..., None].astype(np.int64), 2)[..., 0].astype(np.float64)
    if noise_seed is not None:
        electrons = light * full_well
        noise = np.random.default_rng(noise_seed).standard_normal(light.shape)
        light = (electrons + np.sqrt(electrons + READ_NOISE**2) * noise) / full_well
    return np.clip(np.rint(light * (WHITE - BLACK) + BLACK), 0, WHITE).astype(np.uint16)


def to_photo(balanced):
    """White-balanced camera colours, 1 the saturation of green, back to display values 0…255."""
    return encode_srgb(balanced.reshape(-1, 3) @ np.linalg.inv(RGB_TO_BALANCED).T / EXPOSURE).reshape(balanced.shape)


def write_dng(path, counts, pattern, iso=None):
    """An uncompressed DNG 1.4 (Adobe, 2012), one strip."""
    height, width = counts.shape
    numbers = pattern_numbers(pattern)
    edge = len(numbers)
    fields = {
        254: ("I", [0]), 256: ("I", [width]), 257: ("I", [height]), 258: ("H", [16]), 259: ("H", [1]),
        262: ("H", [32803]), 271: ("s", b"Rawmill\0"), 272: ("s", b"Mosaic\0"), 273: ("I", [0]), 274: ("H", [1]),
        277: ("H", [1]), 278: ("I", [height]), 279: ("I", [width * height * 2]), 284: ("H", [1]),
        33421: ("H", [edge, edge]), 33422: ("B", numbers.ravel().tolist()), 50706: ("B", [1, 4, 0, 0]),
        50707: ("B", [1, 1, 0, 0]), 50708: ("s", b"Rawmill Mosaic\0"), 50714: ("H", [BLACK]), 50717: ("I", [WHITE]),
        50721: ("r", XYZ_TO_CAMERA.ravel()), 50728: ("R", NEUTRAL), 50778: ("H", [21]),
        50829: ("I", [0, 0, height, width]),
    }
    if iso:
        fields[34665] = ("I", [0])
    head = 8 + 2 + 12 * len(fields) + 4
    extra = b""
    entries = []
    for tag, (kind, values) in sorted(fields.items()):
        code, count, data = _field(kind, values)
        if len(data) <= 4:
            entries.append((tag, code, count, data.ljust(4, b"\0")))
        else:
            entries.append((tag, code, count, struct.pack("<I", head + len(extra))))
            extra += data + b"\0" * (len(data) % 2)
    exif = struct.pack("<I", head + len(extra))
    if iso:
        extra += struct.pack("<HHHIHHI", 1, 34855, 3, 1, iso, 0, 0)
    start = struct.pack("<I", head + len(extra))
    body = b"".join(struct.pack("<HHI", tag, code, count) + {273: start, 34665: exif}.get(tag, data)
                    for tag, code, count, data in entries)
    with open(path, "wb") as f:
        f.write(b"II*\0" + struct.pack("<IH", 8, len(fields)) + body + b"\0\0\0\0" + extra)
        f.write(counts.astype("<u2").tobytes())


def _field(kind, values):
    """TIFF's type number, count and bytes."""
    if kind == "s":
        return 2, len(values), values
    if kind in "rR":
        pairs = b"".join(struct.pack("<ii", round(v * 1_000_000), 1_000_000) for v in values)
        return (10 if kind == "r" else 5), len(values), pairs
    return {"B": 1, "H": 3, "I": 4}[kind], len(values), struct.pack(f"<{len(values)}{kind}", *values)
