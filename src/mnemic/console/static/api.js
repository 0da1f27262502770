// Asking the server. The key is sent as a header, kept for this tab only, and never put in an address.

const KEPT = "mnemic.key";

export class ApiError extends Error {
  constructor(status, code, message, details) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details || [];
  }
}

export const key = {
  get: () => sessionStorage.getItem(KEPT) || "",
  set: (text) => (text ? sessionStorage.setItem(KEPT, text) : sessionStorage.removeItem(KEPT)),
};

function headers(more = {}) {
  return key.get() ? { ...more, "x-api-key": key.get() } : more;
}

export async function request(method, path, body, { signal } = {}) {
  const answer = await fetch(path, {
    method,
    signal,
    headers: headers(body === undefined ? {} : { "content-type": "application/json" }),
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "omit",
    cache: "no-store",
  });
  const text = await answer.text();
  let said = {};
  try {
    said = text ? JSON.parse(text) : {};
  } catch {
    throw new ApiError(answer.status, "not_json", `${answer.status} ${answer.statusText}`);
  }
  if (!answer.ok) throw refusal(answer.status, said);
  return said;
}

function refusal(status, said) {
  const error = said.error || {};
  const details = Array.isArray(error.details) ? error.details : [];
  const told = details.map((one) => `${one.path}: ${one.message}`).join("; ");
  const message = [error.message || `HTTP ${status}`, told].filter(Boolean).join(" – ");
  return new ApiError(status, error.code || "", message, details);
}

// An address with its parameters; those that are empty are left out.
export function address(path, parameters = {}) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") given.set(name, value);
  }
  const query = given.toString();
  return query ? `${path}?${query}` : path;
}

export const get = (path, parameters, options) =>
  request("GET", address(path, parameters), undefined, options);
export const post = (path, body = {}, options) => request("POST", path, body, options);

// A verb of the engine, such as sdk("get", { memory_id: 7 }).
export async function sdk(verb, given = {}, options) {
  return (await post(`/sdk/${verb}`, given, options)).data;
}

// Server-sent events, read by hand: an EventSource cannot send a key.
export async function follow(path, seen, signal) {
  const answer = await fetch(path, { headers: headers(), signal, credentials: "omit", cache: "no-store" });
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => ({})));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (rest + value).split("\n\n");
    rest = messages.pop();
    for (const message of messages) {
      const line = message.split("\n").find((one) => one.startsWith("data: "));
      if (line) seen(JSON.parse(line.slice(6)));
    }
  }
}
