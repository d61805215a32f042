/** A table in Markdown: what a row is about stands left, numbers stand right. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((cell, column) => Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${
      cells.map((cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)).join(
        " | "
      )
    } |`
  const rule = widths.map((width, column) => column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)
  return [line(head), line(rule), ...rows.map(line)].join("\n")
}

/** A number with as many digits as are worth reading. */
export const digits = (number: number): string =>
  number.toFixed(Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2)
