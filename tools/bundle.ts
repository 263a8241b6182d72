import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { BUNDLE_FOLDER, BUNDLE_RECORD, stateOfFile } from '../bin/bundle.js'

/** Code that is started as a thread, and so is a first file of its own. */
const THREAD = /new URL\(\s*['"](\.[^'"]+\.ts)['"],\s*import\.meta\.url\)/g

/**
 * Bundles the gateway and what it depends on into few files: to find, read and link a thousand modules is half of a start.
 * Parts that are loaded when they are needed stay files of their own. Names and lines are kept as they are, for traces.
 * `root`: the checkout. Replaces the bundle that is there.
 */
export async function bundleGateway(root: string): Promise<void> {
  const folder = join(root, BUNDLE_FOLDER)
  const read = new Set<string>()
  const made = `${folder}-${process.pid}`
  const stages = new Stages(join(root, 'src'))
  const bundle = await rolldown({
    cwd: root,
    input: { main: join(root, 'src/main.ts'), ...(await threadsOf(join(root, 'src'))) },
    platform: 'node',
    // `pg` takes it where it is installed.
    external: [/^node:/, 'pg-native'],
    plugins: [
      originalPlaces(folder),
      ONE_BYTE_A_CHARACTER,
      { name: 'what-is-read', moduleParsed: ({ id }) => void read.add(id) },
      stages.plugin,
    ],
    logLevel: 'warn',
    // A stage holds parts that are loaded late elsewhere.
    checks: { ineffectiveDynamicImport: false },
  })
  try {
    const codeSplitting = { groups: stages.groups }
    await bundle.write({ dir: made, format: 'esm', entryFileNames: '[name].js', comments: false, codeSplitting })
    await writeFile(join(made, BUNDLE_RECORD), recordOf(root, read))
  } finally {
    await bundle.close()
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, '..'), { recursive: true })
  await rename(made, folder)
}

/**
 * The stages in which a start loads its code, in their order, and the files that each begins with. A stage is one file of the
 * bundle: the shared parts of so many commands would be a hundred, and to find one takes a third of a millisecond. What a thread
 * shares with the rest is a file of its own, so that each thread has only that in memory.
 */
const STAGES: Readonly<Record<string, readonly string[]>> = {
  thread: ['store/sqlite/sqlite-thread.ts'],
  command: ['main.ts', 'app/cli/health.ts'],
  opening: ['app/cli/start.ts', 'core/log.ts', 'store/open-store.ts'],
  gateway: ['app/server/start-gateway.ts'],
}
/** The files that do their work as they are loaded, so that no other may bring them along. */
const ENTRIES = new Set(['main.ts', 'store/sqlite/sqlite-thread.ts'])

/** Finds the stage of each module: the first one that loads it. */
class Stages {
  readonly #of = new Map<string, string>()
  readonly plugin: Plugin
  readonly groups = Object.keys(STAGES).map((name, at, { length }) => ({
    name,
    priority: length - at,
    test: (id: string) => this.#of.get(id) === name,
  }))

  constructor(src: string) {
    const stageOf = this.#of
    this.plugin = {
      name: 'stages',
      buildEnd() {
        for (const [name, starts] of Object.entries(STAGES)) {
          const loaded = new Set(starts.map((path) => join(src, path)))
          // The set grows while it is walked.
          for (const id of loaded) {
            for (const imported of this.getModuleInfo(id)?.importedIds ?? []) loaded.add(imported)
            if (!stageOf.has(id) && !ENTRIES.has(relative(src, id))) stageOf.set(id, name)
          }
        }
      },
    }
  }
}

/** What the bundle was made of, for the launcher. Other packages stand and fall with npm's list of what is installed. */
function recordOf(root: string, read: ReadonlySet<string>): string {
  const sources = [...read].filter((id) => id.startsWith(join(root, 'src') + sep))
  const paths = [...sources.map((id) => relative(root, id)), 'node_modules/.package-lock.json']
  return JSON.stringify(paths.map((path) => stateOfFile(root, path)))
}

/** The files under `folder` that are started as threads, each by its name in the bundle. */
async function threadsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
  const threads = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const text = await readFile(join(parentPath, name), 'utf8')
      return [...text.matchAll(THREAD)].map(([, path = '']) => [basename(path, '.ts'), join(parentPath, path)] as const)
    }),
  )
  return Object.fromEntries(threads.flat())
}

/** Threads are started from the bundle; what else is found by a file's own place (pages, package.json) is where it was. */
function originalPlaces(folder: string): Plugin {
  return {
    name: 'original-places',
    transform: {
      filter: { code: /import\.meta\.url/, id: /\/src\// },
      handler: (code, id) => {
        const place = `new URL(${JSON.stringify(relative(folder, id).replaceAll(sep, '/'))}, import.meta.url).href`
        return code
          .replace(THREAD, (_, path: string) => `new URL(${JSON.stringify(`./${basename(path, '.ts')}.js`)}, THREADS)`)
          .replaceAll('import.meta.url', place)
          .replaceAll('THREADS)', 'import.meta.url)')
      },
    },
  }
}

/** V8 keeps the text of all code, with two bytes a character where one of them is beyond Latin. Written as `\u2192`, none is. */
const ONE_BYTE_A_CHARACTER: Plugin = {
  name: 'one-byte-a-character',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = inAscii(file.code)
  },
}

/** A backslash before such a character, as patterns may have, means nothing. */
function inAscii(code: string): string {
  return code.replace(/(\\*)([^\0-\x7f])/g, (_, slashes: string, character: string) => {
    const kept = slashes.length % 2 === 0 ? slashes : slashes.slice(1)
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
