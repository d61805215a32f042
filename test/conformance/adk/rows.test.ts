import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"

const here = new URL(".", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, here), "utf8")

/** The rows of the suite, by the file that tests them. */
const sections: Record<string, ReadonlyArray<string>> = {
  "state.test.ts": "T001 T002 T004 T005 T006 T007 T009 T010 T011 T012 T014 T015 T016 T017".split(" "),
  "calls.test.ts": [
    "T060 T061 T063 T064 T065 T066 T068 T069 T070 T071 T073 T074 T075 T076 T078 T079",
    "T080 T081 T083 T084 T085 T086 T088 T089 T090 T091 T093 T094 T095 T096 T098 T099 T100"
  ].flatMap((row) => row.split(" ")),
  "hooks.test.ts": [
    "T105 T107 T108 T109 T110 T112 T113 T114 T115 T117 T118 T119 T120 T122 T123 T124 T125 T127 T128"
  ].flatMap((row) => row.split(" ")),
  "confirmation.test.ts": "T130 T131 T133 T134 T135 T136 T139 T140 T141 T143 T144".split(" "),
  "composition.test.ts": "T180 T181 T183 T184 T185 T186 T191 T193 T194 T195 T196 T198 T199".split(" "),
  "auth.test.ts": "T150 T151 T153 T154 T155 T156 T158 T159 T160".split(" "),
  "artifacts.test.ts": ["T165", "T167", "T168", "T169", "T170"],
  "memory.test.ts": ["T172", "T173"],
  "store.test.ts": [
    "T021 T022 T023 T024 T026 T027 T028 T029 T031 T032 T033 T034 T036 T037 T038 T039",
    "T041 T042 T043 T044 T046 T047 T048 T049 T051 T052 T053 T054 T056 T057"
  ].flatMap((row) => row.split(" ")),
  "instructions.test.ts": "T210 T211 T212 T213 T215 T216 T217 T218 T220 T221 T222".split(" "),
  "transfer.test.ts": "T138 T188 T189 T190 T200 T201".split(" "),
  "rewind.test.ts": "T230 T232 T233 T234 T235".split(" "),
  "compaction.test.ts": "T240 T241 T242 T243 T245 T246 T247 T248 T250".split(" "),
  "interop.test.ts": "T270 T271 T272 T274 T275 T276 T277 T279 T280 T281 T282 T284 T285 T286 T287".split(" "),
  "tool-context.test.ts": ["T260", "T261", "T262", "T264"]
}

const idsIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, id = ""]) => id)

/** The rows that a list names in its part about ADK. */
const listed = (path: string): ReadonlyArray<string> => {
  const [, part = ""] = read(path).split(/^## ADK$/m)
  const [own = ""] = part.split(/^## /m)
  return idsIn(own, /^- (T\d{3})\b/gm)
}
const elsewhere = [...listed("../not-ours.md"), ...listed("../later.md")]

describe("adk: rows", () => {
  for (const [file, rows] of Object.entries(sections)) {
    it(`has every row of ${file} in exactly one place`, () => {
      const tested = idsIn(read(file), /^ {2}it(?:\.effect|\.live)?\(\s*"(T\d{3}) /gm)
      const places = [...tested, ...elsewhere.filter((id) => rows.includes(id))]
      assert.deepStrictEqual(places.toSorted(), rows.toSorted())
    })
  }

  it("lists no row that the suite does not have, and has no other file of tests", () => {
    const rows = new Set(Object.values(sections).flat())
    assert.deepStrictEqual(elsewhere.filter((id) => !rows.has(id)), [])
    const files = readdirSync(here).filter((name) => name.endsWith(".test.ts") && name !== "rows.test.ts")
    assert.deepStrictEqual(files.toSorted(), Object.keys(sections).toSorted())
  })
})
