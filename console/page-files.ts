import type { Plugin } from 'vite'

/** The properties of a built file that are read here. */
interface BuiltFile {
  readonly type: string
  readonly fileName: string
  readonly isEntry?: boolean
  readonly facadeModuleId?: string | null
  readonly imports?: readonly string[]
}

/** The name of the meta element that `first-paint.ts` reads. */
const META_NAME = 'tollgate-pages'

/**
 * Writes into the page which files each page of the router and its words need, so that they can be fetched together with
 * the router itself and not after it: on a slow line that is two round trips. The names: the page's path, and for the
 * words the path with the language. The typeface is fetched at once.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const built = Object.values(bundle ?? {})
        const content = JSON.stringify(filesByPage(built))
        const fonts = built.filter(({ fileName }) => fileName.endsWith('.woff2'))
        return [
          { tag: 'meta', attrs: { name: META_NAME, content }, injectTo: 'head-prepend' },
          // Its style sheet would name it only when that has arrived, which is too late for the first paint.
          ...fonts.map(({ fileName }) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `./${fileName}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
        ]
      },
    },
  }
}

/** `{"keys": ["keys-page-ab12.js", …], "keys zh-cn": [ … ]}`, without what the entry brings along anyway. */
export function filesByPage(bundle: readonly BuiltFile[]): Record<string, string[]> {
  const byName = new Map(bundle.filter((file) => file.type === 'chunk').map((file) => [file.fileName, file]))
  const entry = bundle.find((file) => file.isEntry === true)
  const early = entry === undefined ? new Set<string>() : withImports(entry, byName)
  const needed = (file: BuiltFile): string[] =>
    [...withImports(file, byName)].filter((name) => !early.has(name)).map((name) => name.replace(/^assets\//, ''))
  const pages: Record<string, string[]> = {}
  for (const file of bundle) {
    const page = /\/pages\/([\w-]+)\/([\w-]+)-page\.tsx$/.exec(file.facadeModuleId ?? '')
    if (page === null) continue
    const [, folder = '', path = ''] = page
    pages[path] = needed(file)
    for (const language of ['en', 'zh-cn']) {
      const words = bundle.find((one) => one.facadeModuleId?.endsWith(`/dictionaries/${folder}-${language}.ts`))
      if (words !== undefined) pages[`${path} ${language}`] = needed(words)
    }
  }
  return pages
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
