// The form that sends a request to this server and shows what comes back.

import { element, pretty } from "./elements.js";

const LONGEST = 200000;
let numbers = 0;

export function tryForm(operation, schemas, key) {
  const fields = operation.parameters.map((one) => parameterField(one, schemas));
  const body = operation.body ? bodyField(operation, schemas) : null;
  const output = element("div", { class: "answer", "aria-live": "polite" });
  const button = element("button", { type: "submit" }, "Send");
  const command = element("button", { type: "button", class: "quiet" }, "Show as curl");
  const form = element(
    "form",
    { class: "try" },
    element("h4", {}, "Try it"),
    fields.length ? element("div", { class: "fields" }, fields.map((one) => one.element)) : null,
    body?.element,
    element("div", { class: "buttons" }, button, command),
    output,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    output.replaceChildren(element("p", {}, "Waiting …"));
    output.replaceChildren(...(await sent(requestOf(operation, fields, body, key()))));
    button.disabled = false;
  });
  command.addEventListener("click", () => {
    const request = requestOf(operation, fields, body, key() ? "YOUR_KEY" : "");
    output.replaceChildren(element("pre", { tabindex: "0" }, curl(request)));
  });
  return form;
}

function parameterField(parameter, schemas) {
  const schema = schemas.plain(parameter.schema);
  const id = `field-${(numbers += 1)}`;
  const input = schema.enum
    ? element("select", { id, required: parameter.required }, [parameter.required ? [] : [""], schema.enum].flat().map((one) => element("option", { value: one }, String(one) || "–")))
    : element("input", { id, type: "text", required: parameter.required, autocomplete: "off", spellcheck: "false", placeholder: schema.default === undefined || schema.default === null ? "" : String(schema.default) });
  const where = parameter.in === "path" ? "in the address" : parameter.in;
  return {
    parameter,
    value: () => input.value,
    element: element("div", { class: "field" }, element("label", { for: id }, parameter.name, element("small", {}, ` ${where}${parameter.required ? ", needed" : ""}`)), input),
  };
}

function bodyField(operation, schemas) {
  const id = `field-${(numbers += 1)}`;
  const example = pretty(schemas.example(operation.body.schema, { all: false }));
  const input = element("textarea", { id, rows: Math.min(14, Math.max(4, example.split("\n").length + 1)), spellcheck: "false", autocomplete: "off" });
  input.value = example;
  return {
    value: () => input.value,
    element: element("div", { class: "field wide" }, element("label", { for: id }, "Body", element("small", {}, " JSON")), input),
  };
}

function requestOf(operation, fields, body, key) {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const one of fields) {
    const value = one.value();
    if (one.parameter.in === "path") {
      // What is not filled in yet stays visible in a command.
      if (value) path = path.replace(`{${one.parameter.name}}`, encodeURIComponent(value));
    } else if (value !== "" && one.parameter.in === "query") query.append(one.parameter.name, value);
  }
  const headers = { Accept: "application/json" };
  if (key) headers.Authorization = `Bearer ${key}`;
  const text = body?.value().trim();
  if (text) headers["Content-Type"] = "application/json";
  const address = query.size ? `${path}?${query}` : path;
  return { method: operation.method, address, headers, body: text || undefined };
}

async function sent({ method, address, headers, body }) {
  const started = performance.now();
  try {
    const response = await fetch(address, { method, headers, body, credentials: "omit", cache: "no-store" });
    const text = await response.text();
    return shown(response, text, performance.now() - started);
  } catch (error) {
    return [element("p", { class: "failed" }, `No answer: ${error.message}. Is the server running?`)];
  }
}

function shown(response, text, milliseconds) {
  const ok = response.ok ? "good" : "failed";
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return [
    element("p", { class: "status" }, element("strong", { class: ok }, `${response.status} ${response.statusText}`.trim()), ` in ${milliseconds.toFixed(0)} ms`),
    element("details", {}, element("summary", {}, "Headers"), element("pre", { tabindex: "0" }, headers)),
    element("pre", { tabindex: "0", class: "body" }, readable(text)),
  ];
}

function readable(text) {
  let told = text;
  try {
    told = pretty(JSON.parse(text));
  } catch {
    // It is no JSON, and is shown as it is.
  }
  if (!told) return "(empty)";
  return told.length > LONGEST ? `${told.slice(0, LONGEST)}\n… ${told.length - LONGEST} more characters` : told;
}

function curl({ method, address, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [`curl -X ${method} ${quoted(location.origin + address)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body) parts.push(`-d ${quoted(body)}`);
  return parts.join(" \\\n  ");
}
