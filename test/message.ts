/** Messages as tests read them. */
import { Prompt } from "effect/ai"

/** A message on one line: calls with their arguments, results with their values. */
export const line = ({ content, role }: Prompt.Message): string => {
  if (typeof content === "string") return `${role}: ${content}`
  const parts = content.map((part) => {
    if (part.type === "text") return part.text
    if (part.type === "tool-call") return `${part.name}(${JSON.stringify(part.params)})`
    if (part.type === "tool-result") return `${part.name} = ${JSON.stringify(part.result)}`
    return part.type
  })
  return `${role}: ${parts.join(", ")}`
}

/** What a user says. */
export const said = (text: string): Prompt.UserMessage => Prompt.userMessage({ content: [Prompt.textPart({ text })] })
