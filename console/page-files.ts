import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { pagesOf, type RoutedPage } from './routed-pages.ts'

/** The properties of a built file that are read here. */
interface BuiltFile {
  readonly type: string
  readonly fileName: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  /** The sources that it holds, by their paths. */
  readonly modules?: Readonly<Record<string, unknown>>
}

/** What `first-paint.ts` reads: names below `assets/`, and by each page's pattern the places of its files among them. */
export interface PageFiles {
  readonly fonts: readonly string[]
  readonly files: readonly string[]
  /** The code, then the words in English and in Chinese. */
  readonly pages: Readonly<Record<string, readonly [readonly number[], readonly number[], readonly number[]]>>
}

/** The name of the meta element that `first-paint.ts` reads. */
const META_NAME = 'tollgate-pages'

/**
 * Writes into the page which files each page of the router and its words need, so that they can be fetched together with
 * the router itself and not after it: on a slow line that is two round trips. The typeface is in the list as well, which
 * the style sheet would name too late for the first paint.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (_html, { bundle }) => {
        const built = Object.values(bundle ?? {})
        const routes = await readFile(join(import.meta.dirname, 'routes.tsx'), 'utf8')
        const content = JSON.stringify(filesByPage(built, pagesOf(routes)))
        return [{ tag: 'meta', attrs: { name: META_NAME, content }, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** The files of each page, without what the entry brings along anyway. */
export function filesByPage(bundle: readonly BuiltFile[], pages: readonly RoutedPage[]): PageFiles {
  const chunks = bundle.filter(({ type }) => type === 'chunk')
  const byName = new Map(chunks.map((file) => [file.fileName, file]))
  const entry = chunks.find((file) => file.isEntry === true)
  const early = entry === undefined ? new Set<string>() : withImports(entry, byName)
  const files: string[] = []
  const placeOf = (name: string): number => {
    const place = files.indexOf(name)
    return place < 0 ? files.push(name) - 1 : place
  }
  const neededFor = (sources: readonly string[]): number[] => {
    const needed = sources.flatMap((source) => {
      const file = chunks.find(({ modules = {} }) => Object.keys(modules).some((path) => path.endsWith(`/${source}`)))
      return file === undefined ? [] : [...withImports(file, byName)]
    })
    const late = [...new Set(needed)].filter((name) => !early.has(name))
    return late.map((name) => placeOf(withoutFolder(name)))
  }
  const entries = pages.map(
    ({ path, code, words }) => [path, [neededFor(code), neededFor(words.en), neededFor(words.zhCn)]] as const,
  )
  const fonts = bundle.map(({ fileName }) => withoutFolder(fileName)).filter((name) => name.endsWith('.woff2'))
  return { fonts, files, pages: Object.fromEntries(entries) }
}

function withoutFolder(name: string): string {
  return name.replace(/^assets\//, '')
}

function withImports(file: BuiltFile, byName: ReadonlyMap<string, BuiltFile>): Set<string> {
  const found = new Set<string>()
  const open = [file.fileName]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...(byName.get(name)?.imports ?? []))
  }
  return found
}
