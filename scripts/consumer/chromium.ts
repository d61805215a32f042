/** A real browser: the machine's Chromium, or Debian's where it may be installed. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome"]

const found = (): string | undefined =>
  names.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0)

const isRoot = process.getuid?.() === 0

/** Its command. On CI it is installed where it is missing; a person's machine is left as it is. */
export const chromium = (): string | undefined => {
  const there = found()
  const mayInstall = process.env["CI"] === "true" && isRoot && spawnSync("apt-get", ["--version"]).status === 0
  if (there !== undefined || !mayInstall) return there
  const apt = (...args: ReadonlyArray<string>) =>
    execFileSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", "-qq", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: "pipe"
    })
  apt("update")
  apt("install", "--yes", "--no-install-recommends", "chromium")
  return found()
}

/** Opens a page without a window, until `seen` is done, and leaves nothing behind. */
export const visiting = async <A>(command: string, url: string, seen: Promise<A>): Promise<A> => {
  const profile = mkdtempSync(join(tmpdir(), "tenon-chromium-"))
  const flags = [
    "--headless",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    `--user-data-dir=${profile}`
  ]
  const sandbox = isRoot ? ["--no-sandbox"] : []
  // with a port for debugging it stays until it is told to go
  const browser = spawn(command, [...flags, ...sandbox, "--remote-debugging-port=0", url], {
    detached: true,
    stdio: "ignore"
  })
  const ended = new Promise<void>((done) => browser.on("exit", () => done()))
  try {
    return await Promise.race([
      seen,
      ended.then(() => Promise.reject(new Error(`${command} ended before the page reported`)))
    ])
  } finally {
    end(browser)
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** With all its processes, which are a group. */
const end = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // it has ended
  }
}
