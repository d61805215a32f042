/**
 * The message that tells what earlier ones said, told apart from a user's own. Layer 2.
 */
import { Prompt } from "effect/ai"

const mark = { tenon: { summary: true } }

/** A text in place of earlier messages. It is the user's, since a conversation begins with a user's message. */
export const summaryOf = (text: string): Prompt.UserMessage =>
  Prompt.userMessage({ content: [Prompt.textPart({ text })], options: mark })

/** Does a message stand in place of earlier ones? */
export const isSummary = ({ options }: Prompt.Message): boolean => {
  const { tenon } = options as Partial<typeof mark>
  return tenon?.summary === true
}

/** Did a user say it? */
export const isUsers = (message: Prompt.Message): message is Prompt.UserMessage =>
  message.role === "user" && !isSummary(message)
