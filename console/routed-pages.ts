import { ADMIN_PAGES } from './admin-pages.ts'
import { PATHS } from './paths.ts'

/** One page of the router, by the sources that hold its code and its words. */
export interface RoutedPage {
  /** The pattern of its address below `/console/`, with `$` for what differs. */
  readonly path: string
  readonly code: readonly string[]
  readonly words: { readonly en: readonly string[]; readonly zhCn: readonly string[] }
}

/** What a page needs by the function that makes its route. */
const FRAMES: Readonly<Record<string, { readonly code: readonly string[]; readonly texts: readonly string[] }>> = {
  own: { code: ['console/shell/shell.tsx'], texts: [] },
  admin: {
    code: [
      'console/shell/shell.tsx',
      'console/shell/admin/admin-navigation.tsx',
      'console/dictionaries/shell-en.ts',
      'console/dictionaries/shell-zh-cn.ts',
      'console/pages/admin/admin-frame.tsx',
    ],
    texts: [],
  },
  outside: { code: [], texts: ['outside'] },
  open: { code: [], texts: ['public', 'outside'] },
}

/** The words that stand in files of another name. */
const SOURCES_OF_WORDS: Readonly<Record<string, readonly [en: string, zhCn: string]>> = {
  causes: ['src/causes/english.ts', 'src/causes/chinese.ts'],
}

/** The pages in the text of `routes.tsx`: the router itself loads their code, and cannot be asked before it is there. */
export function pagesOf(routes: string): RoutedPage[] {
  const lists = new Map(
    [...routes.matchAll(/const (\w+) = (\[[^\]]*\]) as const/g)].map(([, name, list]) => [name ?? '', list ?? '']),
  )
  const calls = routes.split(/\b(?=(?:own|admin|outside|open)Page\((?:PATHS\.|'))/).slice(1)
  return calls.map((call) => {
    const [, kind = '', key = '', file = ''] =
      /^(\w+)Page\(\s*(?:PATHS\.)?'?(\w+)'?,\s*\(\) => import\('\.\/([^']+)'\)/.exec(call) ?? []
    const listed = /(?:texts: |\), )(\[[^\]]*\]|[A-Z]\w*)/.exec(call)?.[1] ?? ''
    const named = [...(lists.get(listed) ?? listed).matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '')
    const page: { readonly path: string; readonly texts: readonly string[] } =
      kind === 'admin' ? adminPage(key) : { path: valueOf(PATHS, key) ?? '', texts: named }
    const frame = FRAMES[kind]
    const texts = ['everyPage', ...(frame?.texts ?? []), ...page.texts]
    return {
      path: page.path.slice(1).replaceAll(/\$\w+/g, '$'),
      code: [...(frame?.code ?? []), `console/${file}`],
      words: { en: texts.map((name) => wordsOf(name, 'en')), zhCn: texts.map((name) => wordsOf(name, 'zh-cn')) },
    }
  })
}

function adminPage(name: string): { readonly path: string; readonly texts: readonly string[] } {
  return valueOf(ADMIN_PAGES, name) ?? { path: '', texts: [] }
}

function valueOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function wordsOf(name: string, language: 'en' | 'zh-cn'): string {
  const [en, zhCn] = SOURCES_OF_WORDS[name] ?? []
  if (en !== undefined && zhCn !== undefined) return language === 'en' ? en : zhCn
  return `console/dictionaries/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${language}.ts`
}
