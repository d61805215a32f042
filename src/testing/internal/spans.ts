/**
 * A tracer that keeps spans in memory, with ids that are the same in each run. Layer 6, edge `testing`.
 */
import { Exit, Option, Tracer } from "effect"

/** A span as a test sees it. */
export interface Span {
  readonly name: string
  /** The name of the span around it. */
  readonly parent: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: "open" | "succeeded" | "failed"
}

const shown = (span: Tracer.NativeSpan): Span => {
  const parent = Option.getOrUndefined(span.parent)
  return {
    name: span.name,
    parent: parent?._tag === "Span" ? parent.name : undefined,
    attributes: Object.fromEntries(span.attributes),
    status: span.status._tag === "Started" ? "open" : Exit.isSuccess(span.status.exit) ? "succeeded" : "failed"
  }
}

/** A tracer, and the spans that it has seen, in the order in which they began. */
export const collecting = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      span._spanId = (spans.push(span)).toString(16).padStart(16, "0")
      if (Option.isNone(options.parent)) span._traceId = span._spanId.padStart(32, "0")
      return span
    }
  })
  return { tracer, spans: (): ReadonlyArray<Span> => spans.map(shown) }
}
