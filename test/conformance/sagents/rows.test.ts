import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"

const here = new URL(".", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, here), "utf8")

/** The rows of the suite, by the file that their tests stand in. */
const sections: Readonly<Record<string, string>> = {
  "tool-context.test.ts": "T1 T2 T4 T5 T6 T7 T9 T10 T11 T12 T14 T15",
  "sub-agent-context.test.ts": "T16 T17 T19 T20 T21 T22 T24 T25 T26 T27 T29 T30 T31 T32 T34 T35 T36 T37",
  "state.test.ts": "T39 T40 T41 T42 T44 T45 T46 T47 T49 T50 T51 T52 T54 T55 T56 T57 T59 T60 T61 T62 T64 T65 T66",
  "serializer.test.ts":
    "T84 T85 T86 T87 T89 T90 T91 T92 T94 T95 T96 T97 T99 T100 T101 T102 T104 T105 T106 T107 T109 T110 T111 T112 T114 T115 T116 T117",
  "agents.test.ts": "T119 T120 T121 T122 T124 T125 T126",
  "middleware.test.ts":
    "T127 T129 T130 T131 T132 T134 T135 T136 T137 T139 T140 T141 T142 T144 T145 T146 T147 T149 T150 T151 T152",
  "loop.test.ts": "T154 T155 T156 T157 T159 T160 T161 T162 T164 T165 T166 T167 T169 T170 T171 T172 T174 T175",
  "approvals.test.ts": "T176 T177 T179 T180 T181 T182 T184 T185 T186 T187 T189 T190 T191 T192",
  "interrupts.test.ts":
    "T194 T195 T196 T197 T199 T200 T201 T202 T204 T205 T206 T207 T209 T210 T211 T212 T214 T215 T216 T217",
  "todo-list.test.ts": "T67 T69 T70 T71 T72 T74 T75 T76 T77 T79 T80 T81 T82",
  "sub-agents.test.ts":
    "T219 T220 T221 T222 T224 T225 T226 T227 T229 T230 T231 T232 T234 T235 T236 T237 T239 T240 T241 T242 T244",
  "server.test.ts": "T245 T246 T247 T249 T250 T251 T252 T254 T255 T256 T257 T259 T260",
  "not-covered.test.ts": Array.from({ length: 36 }, (_, index) => `N${index + 1}`).join(" ")
}

const later = new Set([
  "The whole loop: middleware, interrupts, actions, sub-agents under fire",
  "Keeping: stores, migrations, import and export",
  "The proving ground: testing kit, type craft, speed, documents"
])

/** The part of a list that is about this suite. */
const partOf = (path: string): string => {
  const [, part = ""] = read(path).split(/^## Sagents$/m)
  return part.split(/^## /m)[0] ?? ""
}

/** The rows that a list names, each with a reason. */
const listed = (path: string): ReadonlyArray<string> =>
  [...partOf(path).matchAll(/^- ([TN]\d+): \S/gm)].map(([, id = ""]) => id)

const elsewhere = [...listed("../not-ours.md"), ...listed("../later.md")]

describe("sagents: rows", () => {
  for (const [file, list] of Object.entries(sections)) {
    it(`finds every row of ${file} in exactly one place`, () => {
      const rows = list.split(" ")
      const tested = [...read(file).matchAll(/^ {2}it(?:\.effect)?\(\s*"([TN]\d+) /gm)].map(([, id = ""]) => id)
      const places = [...tested, ...elsewhere.filter((id) => rows.includes(id))]
      assert.deepStrictEqual(places.toSorted(), rows.toSorted())
    })
  }

  it("lists no row that the suite does not have, and no issue that nobody plans", () => {
    const rows = new Set(Object.values(sections).flatMap((list) => list.split(" ")))
    assert.deepStrictEqual(elsewhere.filter((id) => !rows.has(id)), [])
    const titles = [...partOf("../later.md").matchAll(/^### (.*)$/gm)].map(([, title = ""]) => title)
    assert.deepStrictEqual(titles.filter((title) => !later.has(title)), [])
  })

  it("has no file of tests beside these", () => {
    const files = readdirSync(here).filter((name) => name.endsWith(".test.ts") && name !== "rows.test.ts")
    assert.deepStrictEqual(files.toSorted(), Object.keys(sections).toSorted())
  })
})
