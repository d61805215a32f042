/**
 * Builds the documentation into site/: guides, examples, the error catalogue, decisions and the reference of each entry
 * point. It needs no network, and nor does what it builds. Ends with 1 where TypeDoc warns, or where a link, an image or
 * a heading that a page points to is not there.
 *
 * Markdown is staged before it is built: a page is shown without its first heading, which is its title; a link to an
 * example leads to a page of that example; one to what is no page (a folder, a licence) keeps its words alone.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, posix, relative, resolve } from "node:path"
import {
  Application,
  BaseRouter,
  Comment,
  CommentTag,
  Converter,
  DeclarationReflection,
  DocumentReflection,
  IntersectionType,
  OptionDefaults,
  PageEvent,
  ParameterReflection,
  type ProjectReflection,
  ReferenceType,
  type Reflection,
  ReflectionKind,
  type SomeType
} from "typedoc"

const out = "site"
const stage = ".cache/site"

/** `src/sql/index.ts` is `tenon/sql`. */
const entryPoints = ["", "testing/", "middleware/", "sql/", "ai-sdk/", "interop/"].map((name) => `src/${name}index.ts`)

/** The pages besides the reference, by group, as the navigation has them. */
const pages: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Guides": ["tutorial", "context-or-state", "testing", "persistence"].map((name) => `docs/guide/${name}.md`),
  "Coming from": ["effect-ai", "ai-sdk", "langgraph", "adk", "sagents"].map((name) => `docs/guide/from-${name}.md`),
  "About": ["docs/errors.md", "docs/comparison.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    .filter((file) => existsSync(file)),
  "Examples": globSync("examples/[0-9]*.ts").sort()
}

/** The words of a reference page's sections, first things first. */
const categories = ["constructors", "hooks", "running", "questions", "answers", "combinators", "layers", "services"]

// ===== the pages =============================================================

/** Where a file's page stands among the staged ones, and on the site. */
const pageOf = (file: string): string => file.replace(/\.ts$/, ".md")

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? ""

/** A program is its heading comment as a text, and then the code. */
const asMarkdown = (program: string): string => {
  const [comment = "", ...code] = program.split(/(?<=^ \*\/\n)/m)
  const lines = comment.split("\n").slice(1, -2).map((line) => line.replace(/^ \* ?/, ""))
  return `# ${lines.join("\n")}\n\n\`\`\`ts\n${code.join("").trim()}\n\`\`\`\n`
}

const textOf = (file: string): string => {
  const text = readFileSync(file, "utf8")
  return file.endsWith(".ts") ? asMarkdown(text) : text
}

/** Links of a page, outside of its code, to where their targets stand on the site. */
const relinked = (markdown: string, file: string): string =>
  markdown.split(/(^```[\s\S]*?^```$)/m).map((part, at) =>
    at % 2 === 1 ?
      part :
      part.replaceAll(/\[([^\]]+)\]\((?!\w+:|#)([^)#]+)(#[^)]*)?\)/g, (_, text, path, hash = "") => {
        const target = posix.join(dirname(file), path)
        if (target === "README.md") return `[${text}](${posix.relative(dirname(file), target)}${hash})`
        if (target === "examples") {
          return `[${text}](${posix.relative(dirname(file), pageOf(pages["Examples"]?.[0] ?? ""))})`
        }
        return all.has(target) ? `[${text}](${pageOf(path)}${hash})` : text
      })
  ).join("")

const all = new Set(Object.values(pages).flat())

const staged = (file: string, group?: string): string => {
  const text = textOf(file)
  const target = join(stage, pageOf(file))
  mkdirSync(dirname(target), { recursive: true })
  const front = group === undefined ? "" : `---\ntitle: ${JSON.stringify(titleOf(text))}\ncategory: ${group}\n---\n`
  writeFileSync(target, front + relinked(text.replace(/^# .+\n/, ""), file))
  return target
}

// ===== the reference =========================================================

/** A document's page stands where its file does, a declaration's where one imports it from. */
class Router extends BaseRouter {
  protected override getIdealBaseName(target: Reflection): string {
    if (target instanceof DocumentReflection) {
      const file = this.application.files.getReflectionPath(target)
      return relative(resolve(stage), file ?? "").replace(/^docs\//, "").replace(/\.md$/, "").toLowerCase()
    }
    const names: Array<string> = []
    for (let at: Reflection | undefined = target; at !== undefined && !at.isProject(); at = at.parent) {
      names.unshift(...at.name.split("/").map((name) => this.getUrlSafeName(name)))
    }
    return ["reference", ...names].join("/")
  }
}

/** What one gives, without the machinery that turns a mistake into a sentence: `Fits<A, Complaint>` is `A`. */
const plain = (type: SomeType): SomeType => {
  if (type instanceof ReferenceType && type.name === "Fits") return type.typeArguments?.[0] ?? type
  if (!(type instanceof IntersectionType)) return type
  const rest = type.types.filter((one) => !(one instanceof ReferenceType && /^(?:Whole|Held)$/.test(one.name)))
  return rest.length === 1 && rest[0] !== undefined ? rest[0] : new IntersectionType(rest)
}

const isInternal = ({ name }: Reflection): boolean => name.startsWith("~")

const prepare = (project: ProjectReflection): void => {
  for (const reflection of Object.values(project.reflections).filter(isInternal)) project.removeReflection(reflection)
  for (const reflection of Object.values(project.reflections)) {
    const typed = reflection instanceof DeclarationReflection || reflection instanceof ParameterReflection
    if (typed && reflection.type !== undefined) reflection.type = plain(reflection.type)
  }
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    module.name = module.name === "index" ? "tenon" : `tenon/${module.name}`
    module.comment ??= new Comment()
    module.comment.blockTags.push(new CommentTag("@category", [{ kind: "text", text: "Reference" }]))
  }
}

// ===== building ==============================================================

rmSync(stage, { recursive: true, force: true })
const documents = Object.entries(pages).flatMap(([group, files]) => files.map((file) => staged(file, group)))

const app = await Application.bootstrap({
  name: "Tenon",
  readme: staged("README.md"),
  entryPoints,
  projectDocuments: documents,
  tsconfig: "tsconfig.json",
  out,
  router: "places",
  customCss: "scripts/docs.css",
  disableGit: true,
  disableSources: true,
  hideGenerator: true,
  githubPages: false,
  headings: { readme: true, document: true },
  defaultCategory: "types",
  useFirstParagraphOfCommentAsSummary: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeTags: ["@since"],
  categorizeByGroup: false,
  categoryOrder: [...Object.keys(pages).slice(0, 2), "Reference", ...Object.keys(pages).slice(2), ...categories, "*"],
  navigation: { includeCategories: true, includeGroups: false, includeFolders: false },
  searchInDocuments: true,
  sort: ["kind", "alphabetical"],
  lightHighlightTheme: "github-light-default",
  darkHighlightTheme: "github-dark-default",
  highlightLanguages: [...OptionDefaults.highlightLanguages, "python", "elixir"],
  validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true, notDocumented: false },
  treatWarningsAsErrors: true
})
app.renderer.defineRouter("places", Router)
// a link to the first page names its file, so that the pages also work from a folder, without a server
app.renderer.on(PageEvent.END, (page) => {
  page.contents = (page.contents ?? "").replaceAll(/href="((?:\.\.\/)+)(?=["#])/g, "href=\"$1index.html")
})
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => prepare(context.project))
/** A listener of a lower priority runs later. */
const afterAll = -1_000
app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
  // the order of the pages is that of the list above, not the alphabet's
  const place = new Map(Object.values(pages).flat().map((file, at) => [titleOf(textOf(file)), at]))
  for (const category of project.categories ?? []) {
    category.children.sort((a, b) => (place.get(a.name) ?? 0) - (place.get(b.name) ?? 0))
  }
}, afterAll)

const project = await app.convert()
if (project === undefined) process.exit(1)
app.validate(project)
await app.generateOutputs(project)
const warnings = app.logger.errorCount + app.logger.warningCount

// ===== its links =============================================================

const read = (pattern: string) =>
  new Map(globSync(`${out}/${pattern}`).map((file) => [file, readFileSync(file, "utf8")]))
const html = read("**/*.html")
const anchors = new Map([...html, ...read("assets/*.svg")].map(([file, text]) => [
  file,
  new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id))
]))

/** What is wrong with a link of a page, if anything is. */
const problemOf = (file: string, tag: string, address: string): string | undefined => {
  if (/^(?:data|mailto):/.test(address)) return undefined
  if (/^\w+:|^\/\//.test(address)) return tag === "a" ? undefined : "is loaded from the network"
  const [path = "", hash = ""] = decodeURIComponent(address.replaceAll("&amp;", "&")).split("#")
  const target = path === "" ? file : join(dirname(file), path.replace(/\?.*$/, ""))
  if (!existsSync(target)) return "leads nowhere"
  return hash === "" || anchors.get(target)?.has(hash) === true ? undefined : "names a heading that is not there"
}

const broken = [...html].flatMap(([file, text]) =>
  [...text.matchAll(/<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].flatMap(([, tag = "", address = ""]) => {
    const problem = problemOf(file, tag, address)
    return problem === undefined ? [] : [`${file}: ${address} ${problem}`]
  })
)
for (const problem of new Set(broken)) console.log(`FAIL ${problem}`)
console.log(`${html.size} pages, ${warnings} warnings, ${broken.length} broken links`)
process.exit(warnings + broken.length === 0 ? 0 : 1)
