const mod = await import(process.argv[4] ?? "./loops/tenon.ts")
const tenon = mod[process.argv[3] ?? "tenon"]
const minor = () => (globalThis as any).gc({ type: "minor" })
const steps = Number(process.argv[2] ?? 100)
for (let i = 0; i < 20; i++) await tenon(steps)
;(globalThis as any).gc()
const h = () => process.memoryUsage().heapUsed
const a = h()
const N = 40
for (let i = 0; i < N; i++) {
  await tenon(steps)
  minor()
}
minor()
minor()
minor()
const b = h()
;(globalThis as any).gc()
const c = h()
console.log(
  process.argv[3],
  steps,
  "kept after minor kB/run",
  ((b - c) / N / 1000).toFixed(1),
  "full",
  ((c - a) / N / 1000).toFixed(1)
)
