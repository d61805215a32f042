/** A provider on a loopback port, that answers with what was recorded and keeps what it was asked. */
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request as it came. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: any
}

/** One answer: it writes the response, and ends it. */
export type Reply = (response: ServerResponse, asked: Asked) => void

export interface Server {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
  /** The body of a request. */
  readonly body: (index: number) => any
  /** Ends when a request has come. */
  readonly came: Effect.Effect<void>
  /** Ends when the client has left a response that was not at its end. */
  readonly left: Effect.Effect<void>
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const text = Buffer.concat(pieces).toString()
  return text === "" ? undefined : JSON.parse(text)
}

/** Answers in order, and with the last again. */
export const serve = (...replies: ReadonlyArray<Reply>): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function*() {
    const asked: Array<Asked> = []
    let come: () => void = () => {}
    const came = new Promise<void>((resolve) => come = resolve)
    let leave: () => void = () => {}
    const left = new Promise<void>((resolve) => leave = resolve)
    const server = createServer((request, response) => {
      response.on("close", () => {
        if (!response.writableFinished) leave()
      })
      void bodyOf(request).then((body) => {
        const each: Asked = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body }
        asked.push(each)
        come()
        replies[Math.min(asked.length, replies.length) - 1]?.(response, each)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const { port } = server.address() as AddressInfo
    return {
      url: `http://127.0.0.1:${port}`,
      asked,
      body: (index) => asked[index]?.body,
      came: Effect.promise(() => came),
      left: Effect.promise(() => left)
    }
  })

// ===== answers ===============================================================

/** A body of JSON. */
export const json =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply => (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

/** The events of a stream. */
export const events = (...data: ReadonlyArray<string>): Reply => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (const each of data) response.write(`data: ${each}\n\n`)
  response.end()
}

/** The beginning of a stream, and then the connection is gone. */
export const broken = (...data: ReadonlyArray<string>): Reply => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(data.map((each) => `data: ${each}\n\n`).join(""), () => response.socket?.destroy())
}

/** The beginning of a stream that never ends. */
export const endless = (...data: ReadonlyArray<string>): Reply => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(data.map((each) => `data: ${each}\n\n`).join(""))
}

/** No answer at all. */
export const silence: Reply = () => {}

// ===== recordings ============================================================

const textOf = (path: string): string => readFileSync(new URL(`../fixtures/providers/${path}`, import.meta.url), "utf8")

/** A recorded body. */
export const recorded = (path: string): any => JSON.parse(textOf(path))

/** The recorded events of a stream, one a line. */
export const recordedEvents = (path: string): ReadonlyArray<string> =>
  textOf(path).split("\n").filter((line) => line !== "")

/** A stream that was recorded as it was. */
export const recordedStream = (path: string): Reply => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(textOf(path))
}

/** One exchange of a recorded conversation. */
export interface Exchange {
  readonly request: any
  readonly status: { readonly code: number }
  readonly response: any
}

export const conversation = (path: string): ReadonlyArray<Exchange> => recorded(path)
