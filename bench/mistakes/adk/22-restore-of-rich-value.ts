// A Date is stored in a database, and another run reads it.
// Documented: silent, state is stored as JSON. (The sessions in memory, which store nothing, copy it as it is.)
import { FunctionTool, LlmAgent, Runner } from "@google/adk"
import { DatabaseSessionService } from "@google/adk/sessions/database"
import { LibSqlDriver } from "@mikro-orm/libsql"
import { z } from "zod"
import { results, scripted, user, verdict } from "./harness.ts"

const look = new FunctionTool({
  name: "look",
  description: "Looks at it",
  parameters: z.object({}),
  execute: (_input, context) => `${context?.state.get<Date>("at") instanceof Date}`
})
const clerk = new LlmAgent({ name: "clerk", model: scripted("look"), tools: [look] })
const sessionService = new DatabaseSessionService({ driver: LibSqlDriver, dbName: ":memory:" })
const runner = new Runner({ appName: "app", agent: clerk, sessionService })

// mistake: JSON has no Date
const state = { at: new Date(1) }

const { id: sessionId } = await sessionService.createSession({ appName: "app", userId: "u", state })

await verdict(async () => results(runner.runAsync({ userId: "u", sessionId, newMessage: user("Look.") })), ["true"])

// the service has no way to close its connection
process.exit()
