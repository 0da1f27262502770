// A picture from a payload, drawn on a canvas: it never becomes an address that the page would load.

import { h } from "../dom.js";
import { t } from "../i18n.js";

const WIDEST = 640;

export async function picture({ path, media_type: type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type }));
  const times = Math.max(1, Math.min(6, Math.floor(360 / bitmap.width)));
  const scale = Math.min(times, WIDEST / bitmap.width);
  const canvas = h("canvas", { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale), role: "img", "aria-label": t("picture.label", { path }) });
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = scale < 1;
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return h("figure.picture", canvas, h("figcaption", `${path || t("picture.whole")} · ${bitmap.width} × ${bitmap.height}`));
}
