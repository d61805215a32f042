/**
 * The packed package in a page of a real browser: bundled, served over loopback, with a provider's endpoint beside it.
 * Without Chromium it is skipped, except on CI.
 */
import { EventEmitter, once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { isDeepStrictEqual } from "node:util"
import { byVite } from "./bundlers.ts"
import { chromium, visiting } from "./chromium.ts"
import { withProject } from "./project.ts"
import { reporting } from "./report.ts"

const timeLimit = 60_000
const html = `<!doctype html><meta charset="utf-8"><title>tenon</title><script type="module" src="/page.js"></script>`

interface Asked {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
}

/** What a server says that speaks as OpenAI does: a call first, and a text to its result. */
const reply = ({ messages }: Asked) => {
  const last = messages.at(-1)
  const said = last?.role === "tool" ? "It is under MIT." : last?.content === "And then?" ? "Nothing." : null
  const call = { id: "c-1", type: "function", function: { name: "find", arguments: `{"query":"licence"}` } }
  return {
    choices: [{ message: { role: "assistant", content: said, ...(said === null && { tool_calls: [call] }) } }],
    usage: { prompt_tokens: 1, completion_tokens: 1 }
  }
}

/** What the page reports when all is well. */
const expected = {
  memory: ["It is under MIT.", "licence"],
  kept: ["It is under MIT.", "licence"],
  found: "licence",
  after: ["Nothing.", "licence"]
}

await reporting(async ({ check, skip }) => {
  const command = chromium()
  if (command === undefined) return skip("a page in a browser: there is no chromium")
  await withProject(async ({ copy, dir }) => {
    copy("fetch-model.ts")
    const { builtins, code } = await byVite(dir, copy("page.ts"))
    check(builtins.length === 0, `the page's bundle wants nothing of Node: ${code.length} characters`, builtins.join())

    const reports = new EventEmitter()
    const reported = once(reports, "report", { signal: AbortSignal.timeout(timeLimit) })
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const send = (type: string, body: string) => response.writeHead(200, { "content-type": type }).end(body)
      if (request.url === "/") return void send("text/html", html)
      if (request.url === "/page.js") return void send("text/javascript", code)
      if (request.method !== "POST") return void response.writeHead(404).end()
      const body: unknown = JSON.parse(await text(request))
      if (request.url !== "/report") return void send("application/json", JSON.stringify(reply(body as Asked)))
      reports.emit("report", body)
      response.writeHead(204).end()
    }
    const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1")
    try {
      await once(server, "listening")
      const { port } = server.address() as AddressInfo
      const [seen]: Array<unknown> = await visiting(command, `http://127.0.0.1:${port}/`, reported)
      const what = "a page runs an agent with a model over fetch, and finds its session after a reload"
      check(isDeepStrictEqual(seen, expected), what, JSON.stringify(seen, null, 2))
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
