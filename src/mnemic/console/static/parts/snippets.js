// What each client has to be told of this server. The files are those that `mnemic setup` writes; a test
// holds that they agree.

const VARIABLE = "MNEMIC_API_KEY";
const json = (value) => JSON.stringify(value, null, 2);
const bearer = (name) => ({ Authorization: `Bearer ${name}` });

// A client of MCP: under which key its servers stand, and how one of them is written.
const entry = (container, server) => ({ file, url }) => ({ file, text: json({ [container]: { mnemic: server(url) } }) });

const CLIENTS = {
  "claude-code": ["Claude Code", ".mcp.json", (keyed) => entry("mcpServers", (url) => ({ type: "http", url, ...(keyed && { headers: bearer(`\${${VARIABLE}}`) }) }))],
  "claude-desktop": ["Claude Desktop", "claude_desktop_config.json", () => entry("mcpServers", () => ({ command: "mnemic", args: ["mcp"] }))],
  cursor: ["Cursor", "~/.cursor/mcp.json", (keyed) => entry("mcpServers", (url) => ({ url, ...(keyed && { headers: bearer(`\${env:${VARIABLE}}`) }) }))],
  vscode: ["VS Code", ".vscode/mcp.json", (keyed) => entry("servers", (url) => ({ type: "http", url, ...(keyed && { headers: bearer(`\${env:${VARIABLE}}`) }) }))],
  codex: ["Codex", "~/.codex/config.toml", (keyed) => ({ file, url }) => ({ file, text: `[mcp_servers.mnemic]\nurl = "${url}"${keyed ? `\nbearer_token_env_var = "${VARIABLE}"` : ""}` })],
  gemini: ["Gemini CLI", "~/.gemini/settings.json", (keyed) => entry("mcpServers", (httpUrl) => ({ httpUrl, ...(keyed && { headers: bearer(`\${${VARIABLE}}`) }) }))],
};

const python = (origin, keyed) => `import mnemic

with mnemic.Client("${origin}") as memory:${keyed ? `  # the key is read from ${VARIABLE}` : ""}
    memory.robot.learn("12.5 N holds a ceramic mug")
    print(memory.robot.recall("how hard to grip a mug"))`;

const curl = (origin, keyed) => `curl -s ${origin}/sdk/robot.recall \\
  -H 'content-type: application/json' \\${keyed ? `\n  -H "x-api-key: $${VARIABLE}" \\` : ""}
  -d '{"query": "how hard to grip a mug"}'`;

// Every snippet for a server: its name, where it goes, and its text.
export function snippets({ origin, profile, keyed }) {
  const url = profile ? `${origin}/mcp?profile=${profile}` : `${origin}/mcp`;
  const clients = Object.entries(CLIENTS).map(([name, [title, file, made]]) => ({ name, title, ...made(keyed)({ file, url }) }));
  return [...clients, { name: "python", title: "Python", file: "pip install mnemic", text: python(origin, keyed) }, { name: "curl", title: "curl", file: "", text: curl(origin, keyed) }];
}
