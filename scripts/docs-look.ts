/**
 * Looks at the built site in a browser: no page may be wider than a phone's screen (390 px). Needs chromium; `CHROMIUM`
 * names another one. A page is measured in a frame of that width, since a window of chromium has a wider least one.
 * `--pictures FOLDER` also takes a picture of each kind of page, light, on a desk and on a phone.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"

const site = resolve("site")
const phone = { width: 390, height: 844 }
const chromium = process.env["CHROMIUM"] ?? "chromium"
const { values } = parseArgs({ options: { pictures: { type: "string" } } })

const browse = (address: string, ...more: ReadonlyArray<string>): string => {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files"]
  const { error, stdout } = spawnSync(chromium, [...flags, ...more, address], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 300_000
  })
  if (error !== undefined) {
    console.error(`${chromium}: ${error.message}`)
    process.exit(2)
  }
  return stdout
}

if (!existsSync(join(site, "index.html"))) {
  console.error("there is no site/: npm run docs")
  process.exit(2)
}

// all pages that are written by hand, and those of the reference whose signatures are the longest
const html = globSync(`${site}/**/*.html`)
const isReference = (file: string) => relative(site, file).startsWith("reference")
const longest = html.filter(isReference)
  .map((file) => ({ file, size: readFileSync(file).length }))
  .sort((a, b) => b.size - a.size)
  .slice(0, 40)
  .map(({ file }) => file)
const pages = [...html.filter((file) => !isReference(file)), ...longest]

// a page of the site's own folder, since a frame of another origin tells nothing
const probe = join(site, "probe.html")
writeFileSync(
  probe,
  `<!doctype html><pre id="out">unfinished</pre><script type="module">
const pages = ${JSON.stringify(pages.map((file) => relative(site, file)))}
const found = []
for (const page of pages) {
  const frame = document.createElement("iframe")
  frame.width = ${phone.width}
  frame.height = ${phone.height}
  frame.src = page
  await new Promise((done) => { frame.onload = done; document.body.append(frame) })
  const { documentElement } = frame.contentDocument
  frame.contentDocument.body.style.display = ""
  if (documentElement.scrollWidth > ${phone.width}) found.push(page + " is " + documentElement.scrollWidth + " px wide")
  frame.remove()
}
document.getElementById("out").textContent = "measured\\n" + found.join("\\n")
</script>`
)
const said = browse(pathToFileURL(probe).href, "--dump-dom", "--virtual-time-budget=120000")
rmSync(probe)
const [state, ...wide] = (/<pre id="out">([^<]*)<\/pre>/.exec(said)?.[1] ?? "").split("\n").filter((line) =>
  line !== ""
)
for (const problem of wide) console.log(`FAIL ${problem}`)

if (values.pictures !== undefined) {
  mkdirSync(values.pictures, { recursive: true })
  for (const page of ["index", "guide/tutorial", "errors", "reference/tenon/Tool", "reference/tenon/Agent/make"]) {
    for (const [size, width, height] of [["desk", 1280, 1400], ["phone", 500, 1400]] as const) {
      const picture = join(values.pictures, `${page.replaceAll("/", "-")}-${size}.png`)
      const flags = [`--window-size=${width},${height}`, "--virtual-time-budget=3000", `--screenshot=${picture}`]
      browse(pathToFileURL(join(site, `${page}.html`)).href, ...flags)
    }
  }
}

const measured = state === "measured"
console.log(measured ? `${pages.length - wide.length} passed, ${wide.length} failed` : "the pages were not measured")
process.exit(measured && wide.length === 0 ? 0 : 1)
