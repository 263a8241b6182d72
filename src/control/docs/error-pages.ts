import { isProblemCode, PROBLEMS } from '../../contract/problems.ts'
import { FAULT_TEXTS } from '../../core/fault-texts.ts'
import { FAULTS, type FaultCode } from '../../core/faults.ts'
import { type DocsPage, framedPage } from './html-page.ts'
import { element, type Html, text } from './html.ts'
import { markdown } from './markdown.ts'

/**
 * The page of one code, which the `type` of a problem leads to. `written`: what docs/errors has on it, which is there for
 * every fault of the gateway; null: nothing. null: an unknown code.
 */
export function errorPage(code: string, written: string | null): DocsPage | null {
  const ofApi = problemParts(code)
  if (written === null && ofApi.length === 0) return null
  const page = written === null ? element('h1', {}, [text(code)]) : markdown(withoutFrontMatter(written), linkTo)
  return framedPage(code, [page, ...ofApi])
}

/** All codes with a line each. */
export function errorList(): DocsPage {
  const faults = (Object.keys(FAULTS) as FaultCode[]).map((code) =>
    row(code, FAULTS[code].status, FAULT_TEXTS[code].cause),
  )
  const problems = Object.entries(PROBLEMS).map(([code, { status, title }]) => row(code, status, title))
  return framedPage('Error codes', [
    element('h1', {}, [text('Error codes')]),
    element('p', {}, [text('Programs can rely on a code: its meaning never changes.')]),
    ...section('The gateway', faults),
    ...section('The console API', problems),
  ])
}

function section(title: string, rows: readonly Html[]): readonly Html[] {
  return [element('h2', {}, [text(title)]), element('table', {}, [element('tbody', {}, rows)])]
}

function row(code: string, status: number, title: string): Html {
  const link = element('a', { href: `/docs/errors/${code}` }, [element('code', {}, [text(code)])])
  return element('tr', {}, [
    element('td', {}, [link]),
    element('td', {}, [text(String(status))]),
    element('td', {}, [text(title)]),
  ])
}

/** Some codes are the gateway's and the console API's alike. */
function problemParts(code: string): readonly Html[] {
  if (!isProblemCode(code)) return []
  const { status, title, remedy } = PROBLEMS[code]
  const lines = [`HTTP status: ${status}. ${title}.`, remedy]
  return [element('h2', {}, [text('On the console API')]), ...lines.map((line) => element('p', {}, [text(line)]))]
}

/** The words in front matter also stand in the head of the page, for readers. */
function withoutFrontMatter(page: string): string {
  return page.replace(/^---\n.*?\n---\n/s, '')
}

/** The pages name one another by their files. */
function linkTo(target: string): string {
  const page = /^(\w+)\.md$/.exec(target)?.[1]
  if (page !== undefined) return `/docs/errors/${page}`
  return /^https?:\/\/|^#/.test(target) ? target : '/docs/errors'
}
