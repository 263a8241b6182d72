import { type DocsPage, framedPage } from './html-page.ts'
import { element, text } from './html.ts'
import { markdown } from './markdown.ts'

/** What is shipped to read, by its name below /docs: its title and its file in the package. */
const DOCS: Readonly<Record<string, { readonly title: string; readonly file: string }>> = {
  endpoints: { title: 'Endpoints', file: 'docs/endpoints.md' },
  receipts: { title: 'Usage and receipts', file: 'docs/receipts.md' },
  translation: { title: 'Translation between protocols', file: 'docs/translation.md' },
  debugging: { title: 'Following a request', file: 'docs/debugging.md' },
  'what-clients-may-send': { title: 'What clients may send', file: 'docs/what-clients-may-send.md' },
  operating: { title: 'Operating', file: 'docs/operating.md' },
  'declarative-file': { title: 'The declarative file', file: 'docs/declarative-file.md' },
  routing: { title: 'How targets are chosen', file: 'docs/routing.md' },
  accounts: { title: 'Accounts, keys and plans', file: 'docs/accounts.md' },
  'client-sign-in': { title: 'Sign-in from clients', file: 'docs/client-sign-in.md' },
  alerts: { title: 'Alerts, incidents and what the public sees', file: 'docs/alerts.md' },
  money: { title: 'What is guaranteed about money', file: 'docs/money.md' },
  roles: { title: 'Roles', file: 'docs/roles.md' },
  metrics: { title: 'Metrics', file: 'docs/metrics.md' },
  'upstream-faults': { title: 'Failures of upstreams', file: 'docs/upstream-faults.md' },
  changes: { title: 'What’s new', file: 'CHANGELOG.md' },
  license: { title: 'License', file: 'LICENSE' },
}

/** The file of a page, below the package's folder; null: there is none of this name. */
export function docsFileOf(name: string): string | null {
  return Object.hasOwn(DOCS, name) ? (DOCS[name]?.file ?? null) : null
}

/** The page of one of them. `written`: its file. */
export function docsPage(name: string, written: string): DocsPage {
  const { title, file } = DOCS[name] ?? { title: name, file: '' }
  const page = file.endsWith('.md') ? markdown(written, linkTo) : element('pre', { tabindex: '0' }, [text(written)])
  const parts = file.endsWith('.md') ? [page] : [element('h1', {}, [text(title)]), page]
  return framedPage(title, parts)
}

/** All of them. */
export function docsList(): DocsPage {
  const pages = Object.entries(DOCS).map(([name, { title }]) =>
    element('li', {}, [element('a', { href: `/docs/${name}` }, [text(title)])]),
  )
  return framedPage('Documentation', [
    element('h1', {}, [text('Documentation')]),
    element('p', {}, [text('As shipped with this version.')]),
    element('ul', {}, pages),
  ])
}

/** The pages name one another by their files. What is not shipped to read leads to the list. */
function linkTo(target: string): string {
  if (/^https?:\/\/|^#/.test(target)) return target
  const [path = '', anchor] = target.split('#', 2)
  const error = /^(?:docs\/)?errors\/(\w+)\.md$/.exec(path)?.[1]
  if (error !== undefined) return error === 'README' ? '/docs/errors' : `/docs/errors/${error}`
  const name = Object.keys(DOCS).find((each) =>
    [DOCS[each]?.file, DOCS[each]?.file.replace('docs/', '')].includes(path),
  )
  return name === undefined ? '/docs' : `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}`
}
