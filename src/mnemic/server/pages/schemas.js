// Reading JSON Schemas: what a value may be, in words and as an example.

import { element, inline } from "./elements.js";

const DEEPEST = 4;

export class Schemas {
  constructor(document) {
    this.document = document;
  }

  resolved(schema) {
    let found = schema || {};
    for (let step = 0; found.$ref && step < 10; step += 1) {
      const { $ref, ...beside } = found;
      const target = $ref
        .replace(/^#\//, "")
        .split("/")
        .reduce((at, name) => at?.[name.replace(/~1/g, "/").replace(/~0/g, "~")], this.document);
      found = { ...(target || {}), ...beside };
    }
    if (found.allOf?.length === 1) found = { ...this.resolved(found.allOf[0]), ...without(found, "allOf") };
    return found;
  }

  // The schema itself, where it is "this or nothing" or a choice of which one has fields.
  plain(schema) {
    const found = this.resolved(schema);
    const choices = (found.anyOf || found.oneOf || []).map((one) => this.resolved(one));
    const real = choices.filter((one) => one.type !== "null");
    if (real.length === 1) return { ...real[0], ...without(found, "anyOf", "oneOf") };
    return found;
  }

  type(schema) {
    const found = this.resolved(schema);
    if (found.const !== undefined) return JSON.stringify(found.const);
    if (found.enum) return found.enum.map((one) => JSON.stringify(one)).join(" | ");
    const choices = found.anyOf || found.oneOf;
    if (choices) return [...new Set(choices.map((one) => this.type(one)))].join(" | ");
    if (Array.isArray(found.type)) return found.type.join(" | ");
    if (found.type === "array") {
      const inside = found.items ? this.type(found.items) : "any";
      return inside.includes("|") ? `list of (${inside})` : `list of ${inside}`;
    }
    if (found.format) return `${found.type || "string"}, ${found.format}`;
    return found.type || (found.properties ? "object" : "any");
  }

  limits(schema) {
    const found = this.plain(schema);
    const said = [];
    if (found.minLength !== undefined || found.maxLength !== undefined) {
      said.push(range(found.minLength, found.maxLength, "characters"));
    }
    const low = found.minimum ?? found.exclusiveMinimum;
    const high = found.maximum ?? found.exclusiveMaximum;
    if (low !== undefined || high !== undefined) {
      const open = found.exclusiveMinimum !== undefined ? "more than " : "";
      said.push(open + range(low, high, ""));
    }
    if (found.minItems !== undefined || found.maxItems !== undefined) {
      said.push(range(found.minItems, found.maxItems, "entries"));
    }
    // Most patterns only say that it may not be blank.
    if (found.pattern && !found.pattern.includes("\\x00")) said.push(`matches ${found.pattern}`);
    const preset = this.resolved(schema).default;
    if (preset !== undefined && preset !== null) said.push(`default ${JSON.stringify(preset)}`);
    return said.join("; ");
  }

  // An example: everything of an answer, only what must be there of a body.
  example(schema, { all = true, depth = 0 } = {}) {
    const found = this.plain(schema);
    if (found.example !== undefined) return found.example;
    if (Array.isArray(found.examples) && found.examples.length) return found.examples[0];
    if (found.const !== undefined) return found.const;
    if (found.default !== undefined && found.default !== null) return found.default;
    if (found.enum) return found.enum[0];
    const choices = found.anyOf || found.oneOf;
    if (choices) return this.example(choices[0], { all, depth });
    const type = Array.isArray(found.type) ? found.type[0] : found.type;
    if (type === "array") return depth >= DEEPEST || !found.items ? [] : [this.example(found.items, { all, depth: depth + 1 })];
    if (type === "object" || found.properties) return this.exampleObject(found, all, depth);
    if (type === "integer" || type === "number") return found.minimum ?? 1;
    if (type === "boolean") return true;
    if (type === "null") return null;
    if (found.format === "date-time") return "2026-03-09T12:00:00.000Z";
    return "text".slice(0, found.maxLength ?? 4);
  }

  exampleObject(found, all, depth) {
    if (depth >= DEEPEST) return {};
    const required = new Set(found.required || []);
    const made = {};
    for (const [name, one] of Object.entries(found.properties || {})) {
      if (all || required.has(name)) made[name] = this.example(one, { all, depth: depth + 1 });
    }
    return made;
  }

  // A table of fields, those of objects inside with a dotted name.
  table(schema, head) {
    const rows = this.rows(this.plain(schema), "", 0, new Set());
    if (!rows.length) return element("p", {}, "Type: ", element("code", {}, this.type(schema)));
    return fieldTable(head, rows);
  }

  rows(found, before, depth, seen) {
    const inside = found.type === "array" ? this.plain(found.items) : found;
    const fields = Object.entries(inside.properties || {});
    if (depth >= DEEPEST || seen.has(inside.title) || !fields.length) return [];
    const above = new Set(inside.title ? [...seen, inside.title] : seen);
    const required = new Set(inside.required || []);
    return fields.flatMap(([name, one]) => {
      const path = before + name;
      const below = this.plain(one);
      const more = this.rows(below, `${path}${below.type === "array" ? "[]." : "."}`, depth + 1, above);
      return [row(path, this.type(one), required.has(name), below.description, this.limits(one)), ...more];
    });
  }
}

export function row(name, type, required, description, limits) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("code", {}, name), required ? element("span", { class: "needed" }, "needed") : null),
    element("td", {}, element("code", { class: "type" }, type)),
    element("td", {}, inline(description || ""), limits ? element("span", { class: "limits" }, limits) : null),
  );
}

export function fieldTable(head, rows) {
  return element(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": head },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, [head, "Type", "Meaning"].map((one) => element("th", { scope: "col" }, one)))),
      element("tbody", {}, rows),
    ),
  );
}

function without(object, ...names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function range(low, high, unit) {
  const of = unit ? ` ${unit}` : "";
  if (low === undefined) return `at most ${high}${of}`;
  if (high === undefined) return `${low}${of} or more`;
  return low === high ? `${low}${of}` : `${low} to ${high}${of}`;
}
