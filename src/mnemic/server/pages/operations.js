// One operation: what it does, takes and answers. Its inside is made when it is first opened.

import { element, inline, pretty, prose } from "./elements.js";
import { fieldTable, row } from "./schemas.js";
import { tryForm } from "./trying.js";

export function operationsOf(document, schemas) {
  const found = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, said] of Object.entries(methods)) {
      if (typeof said !== "object" || !said.responses) continue;
      const content = said.requestBody?.content?.["application/json"];
      found.push({
        id: said.operationId || `${method}${path}`,
        method: method.toUpperCase(),
        path,
        tag: said.tags?.[0] || "other",
        summary: said.summary || "",
        description: said.description || "",
        parameters: (said.parameters || []).map((one) => schemas.resolved(one)),
        body: content ? { schema: content.schema, required: said.requestBody.required } : null,
        responses: Object.entries(said.responses).map(([status, one]) => ({
          status,
          description: one.description || "",
          schema: one.content?.["application/json"]?.schema,
        })),
      });
    }
  }
  return found;
}

export function toolOperation(tool) {
  return {
    id: tool.name,
    method: "POST",
    path: `/tools/${tool.name}`,
    tag: "tools",
    summary: tool.description.split(/(?<=[.。])\s/)[0].replace(/[.。]$/, ""),
    description: tool.description,
    parameters: [],
    body: { schema: tool.input_schema, required: true },
    responses: [{ status: "200", description: "The tool's envelope; errors come in it too.", schema: tool.output_schema }],
  };
}

export function operationElement(operation, schemas, key) {
  const id = anchor(operation);
  const inside = element("div", { class: "inside" });
  const made = element(
    "details",
    { class: "operation", id, "data-words": words(operation) },
    element(
      "summary",
      {},
      element("span", { class: `method ${operation.method.toLowerCase()}` }, operation.method),
      element("code", { class: "path" }, breakable(operation.path)),
      element("span", { class: "summary" }, inline(operation.summary)),
    ),
    inside,
  );
  made.addEventListener("toggle", () => {
    if (made.open && !inside.childElementCount) inside.append(...filled(operation, schemas, key));
  });
  return made;
}

export function anchor(operation) {
  return `op-${operation.tag === "tools" ? "tool-" : ""}${operation.id}`;
}

function words(operation) {
  const names = operation.parameters.map((one) => one.name).join(" ");
  return [operation.method, operation.path, operation.id, operation.summary, operation.description, operation.tag, names].join(" ").toLowerCase();
}

function breakable(path) {
  // A long address may be broken before a slash.
  return path.split(/(?=\/)/).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));
}

function filled(operation, schemas, key) {
  const link = `#${anchor(operation)}`;
  return [
    element("div", { class: "about" }, prose(operation.description), element("a", { class: "link", href: link }, "Link to this")),
    parameters(operation, schemas),
    body(operation, schemas),
    answers(operation, schemas),
    tryForm(operation, schemas, key),
  ].flat().filter(Boolean);
}

function parameters(operation, schemas) {
  if (!operation.parameters.length) return [];
  const rows = operation.parameters.map((one) => row(one.name, schemas.type(one.schema), one.required, one.description || schemas.plain(one.schema).description, schemas.limits(one.schema)));
  return [element("h4", {}, "Parameters"), fieldTable("Name", rows)];
}

function body(operation, schemas) {
  if (!operation.body) return [];
  const { schema, required } = operation.body;
  return [
    element("h4", {}, "Body", required ? "" : " (may be left out)"),
    prose(schemas.plain(schema).description),
    schemas.table(schema, "Field"),
    example("Example of a body", schemas.example(schema)),
  ].flat();
}

function answers(operation, schemas) {
  const shown = operation.responses.map(({ status, description, schema }) =>
    element(
      "details",
      { class: "response" },
      element("summary", {}, element("strong", { class: status < "400" ? "good" : "failed" }, status), " ", inline(description)),
      schema ? [schemas.table(schema, "Field"), example("Example of an answer", schemas.example(schema))] : null,
    ),
  );
  return [element("h4", {}, "Answers"), ...shown];
}

function example(label, value) {
  return element("details", { class: "example" }, element("summary", {}, label), element("pre", { tabindex: "0" }, pretty(value)));
}
