/**
 * Where a defect comes from, in words that may leave the process. Layer 1.
 */

/** Frames that are not the author's. */
const elsewhere = /node_modules|\(<anonymous>\)|\(node:/

/** Where a defect comes from, without its message: that may hold what no one outside should see. */
export const placeOf = (defect: unknown): string => {
  if (!(defect instanceof Error)) return `a ${typeof defect}, not an Error`
  const frames = defect.stack?.split("\n").filter((line) => line.startsWith("    at ")) ?? []
  const frame = frames.find((line) => !elsewhere.test(line)) ?? frames[0]
  return frame === undefined ? defect.name : `${defect.name}${frame.replace("    at", " at")}`
}
