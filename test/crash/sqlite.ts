/** Files of SQLite for the crash tests. */
import { Effect } from "effect"
import { join } from "node:path"
import type { Target } from "./prove.ts"

let made = 0

export const sqlite: Target = {
  dialect: "sqlite",
  empty: (folder) => Effect.sync(() => join(folder, `sessions ${made++}.sqlite`))
}
