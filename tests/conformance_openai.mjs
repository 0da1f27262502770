// A chat app with the client of OpenAI from npm, before a model that says what it was told in capitals.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import OpenAI from "openai";

let endless = false;
let left = 0;

const model = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const asked = JSON.parse(body);
  const text = asked.messages.at(-1).content.toUpperCase();
  if (!asked.stream) {
    const message = { role: "assistant", content: text };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
    return;
  }
  response.on("close", () => (left += response.writableEnded ? 0 : 1));
  response.setHeader("content-type", "text/event-stream");
  const send = (delta, finish_reason = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  for (const word of text.split(" ")) send({ content: `${word} ` });
  if (endless) return;
  send({}, "stop");
  response.end("data: [DONE]\n\n");
});
await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));

const [command, ...options] = process.env.MNEMIC.split(" ");
const server = spawn(command, [...options, "serve", "--port", "0"], {
  env: {
    ...process.env,
    MNEMIC_DATABASE: process.env.DATABASE,
    MNEMIC_EMBEDDER: "none",
    MNEMIC_LLM_URL: `http://127.0.0.1:${model.address().port}/v1`,
    MNEMIC_LLM_MODEL: "m",
  },
  stdio: ["ignore", "ignore", "pipe"],
});
const address = await new Promise((resolve, reject) => {
  let told = "";
  server.stderr.on("data", (part) => {
    told += part;
    const found = told.match(/serving on (http:\/\/[^\s,]+),/);
    if (found) resolve(found[1]);
  });
  server.on("exit", () => reject(new Error(told)));
});

const client = new OpenAI({
  baseURL: `${address}/v1`,
  apiKey: "none",
  maxRetries: 0,
  defaultHeaders: { "X-Mnemic-Session": "seaside" },
});
const messages = [{ role: "system", content: "You are a lighthouse keeper." }];
const answer = async () => {
  const stream = await client.chat.completions.create({ model: "m", messages, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? "";
  messages.push({ role: "assistant", content: text });
};
const say = async (text) => {
  messages.push({ role: "user", content: text });
  await answer();
};
const data = async (path) => (await (await fetch(`${address}${path}`)).json()).data;
const turns = async (branch = "main") =>
  (await data(`/sessions/seaside/turns?branch_id=${branch}`)).map((turn) =>
    turn.messages.map((message) => message.content.trim()),
  );

try {
  for (const text of ["one", "two", "three", "four"]) await say(text);
  const kept = [...messages];
  assert.deepEqual(await turns(), [["one", "ONE"], ["two", "TWO"], ["three", "THREE"], ["four", "FOUR"]]);

  messages.pop();
  await answer();
  assert.equal((await turns()).length, 4);

  messages[3] = { role: "user", content: "second" };
  await say("five");
  assert.deepEqual((await turns())[1], ["second", "TWO"]);

  messages.length = 3;
  await say("other");
  assert.deepEqual(await turns("fork-1"), [["one", "ONE"], ["other", "OTHER"]]);
  assert.equal((await turns()).length, 5);

  endless = true;
  messages.push({ role: "user", content: "a long story" });
  const stream = await client.chat.completions.create({ model: "m", messages, stream: true });
  for await (const chunk of stream) if (chunk.choices[0].delta.content === "LONG ") break;
  stream.controller.abort();
  for (let looks = 0; left === 0 || (await turns("fork-1")).length < 3; looks += 1) {
    assert.ok(looks < 1000, "what came was not kept");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal((await turns("fork-1"))[2].at(-1), "The answer was cut short.");
  assert.ok(kept.length > 0);
  console.log("The client of npm: stream, regenerate, edit, fork and leaving hold.");
} finally {
  server.kill();
  model.closeAllConnections();
  model.close();
}
