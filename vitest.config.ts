import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    // The tests import the package by its own name, and get the source.
    alias: [
      { find: /^tenon$/, replacement: src("index.ts") },
      { find: /^tenon\/ai-sdk$/, replacement: src("ai-sdk/index.ts") },
      { find: /^tenon\/middleware$/, replacement: src("middleware/index.ts") },
      { find: /^tenon\/interop$/, replacement: src("interop/index.ts") },
      { find: /^tenon\/sql$/, replacement: src("sql/index.ts") },
      { find: /^tenon\/testing$/, replacement: src("testing/index.ts") }
    ]
  },
  test: {
    include: ["test/**/*.test.ts"],
    fakeTimers: { toFake: [] },
    // property tests on a busy machine
    testTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      // its tests start it as a process of its own
      exclude: ["src/cli/**"],
      thresholds: { lines: 98, functions: 97, statements: 97, branches: 92 },
      reporter: ["text", "json-summary", "lcov"],
      reportsDirectory: "coverage"
    }
  }
})
