import { parse } from 'yaml'
import { type FaultCode, type FaultPolicy, FAULTS, Fault } from '../src/core/faults.ts'
import { anthropicError, geminiError, openaiError } from '../src/protocols/fault-body.ts'

/** The English words about a fault: the front matter of its page in docs/errors. */
export interface FaultWords {
  /** A few words for lists. */
  readonly title: string
  readonly cause: string
  readonly remedy: string
  /** What `tollgate doctor` advises where it has better advice than `remedy`. */
  readonly doctor?: string
}

export const FAULT_CODES = Object.keys(FAULTS) as FaultCode[]

/** The texts that are written from the facts in `core/faults.ts` and the words on the pages, by the path of their file. */
export function generatedFiles(words: ReadonlyMap<FaultCode, FaultWords>, readme: string): Map<string, string> {
  return new Map([
    ['src/core/fault-texts.ts', srcTexts(words)],
    ['console/dictionaries/faults-en.ts', consoleTexts(words)],
    ['docs/errors/README.md', withRows(readme, words)],
  ])
}

/** The front matter of a page. Throws for a page whose front matter has a missing, unknown or badly written field. */
export function wordsOf(code: FaultCode, page: string): FaultWords {
  const front = FRONT_MATTER.exec(page)?.[1]
  if (front === undefined) throw new Error(`docs/errors/${code}.md has no front matter`)
  const fields = parse(front) as Record<string, unknown>
  const { title, cause, remedy, doctor, ...unknown } = fields
  if (Object.keys(unknown).length > 0) {
    throw new Error(`docs/errors/${code}.md: unknown field ${Object.keys(unknown).join(', ')}`)
  }
  const read = (name: string, value: unknown, form: RegExp) => {
    if (typeof value === 'string' && form.test(value)) return value
    throw new Error(`docs/errors/${code}.md: ${name} is missing, or does not match ${form}`)
  }
  const words = {
    title: read('title', title, TITLE),
    cause: read('cause', cause, SENTENCES),
    remedy: read('remedy', remedy, SENTENCES),
  }
  return doctor === undefined ? words : { ...words, doctor: read('doctor', doctor, SENTENCES) }
}

/** The page with its head, which ends with the box of what SDKs read, written from its facts and words. */
export function withHead(code: FaultCode, page: string, words: FaultWords): string {
  const front = FRONT_MATTER.exec(page)?.[0] ?? ''
  const rest = page.slice(front.length).replace(HEAD, '').trimStart()
  return `${front}\n${headOf(code, words)}\n\n${rest}`
}

const FRONT_MATTER = /^---\n(.*?\n)---\n/s
/** The title and, where it was written before, what follows up to the end of the box. */
const HEAD = /^\s*# \w+\n(?:(?:(?!## |```).*\n)*```text\n(?:(?!```).*\n)*```\n)?/
const TITLE = /^[A-Z][^'"\n]*[^.'"\n]$/
/** Apostrophes and quotation marks are the typographic ones: the console shows these words. */
const SENTENCES = /^[A-Z][^'"\n]*\.$/
const WIDTH = 120

function headOf(code: FaultCode, { title, cause, remedy }: FaultWords): string {
  return [`# ${code}`, wrapped(`**${title}.** ${cause}`), wrapped(`**Fix:** ${remedy}`), boxOf(code)].join('\n\n')
}

/** What SDKs of each vendor read in the response, taken from the writers of responses. */
function boxOf(code: FaultCode): string {
  const fault = new Fault(code, 'a message')
  const openai = openaiError(fault, 'req_1').error
  const lines = [
    `HTTP status: ${statusText(FAULTS[code])}`,
    `OpenAI: ${openai.type} / ${openai.code}`,
    `Anthropic: ${anthropicError(fault, 'req_1').error.type}`,
    `Google: ${geminiError(fault, 'req_1').error.status}`,
    `Retry: ${FAULTS[code].retry === 'never' ? 'no' : 'yes'}`,
  ]
  return ['```text', ...lines, '```'].join('\n')
}

function statusText({ status, anthropicStatus, upstreamStatuses = [] }: FaultPolicy): string {
  if (anthropicStatus !== undefined) return `${status} (Anthropic: ${anthropicStatus})`
  const last = upstreamStatuses.at(-1)
  if (last === undefined) return String(status)
  return `${[status, ...upstreamStatuses.slice(0, -1)].join(', ')} or ${last}, as the provider's`
}

const ROWS = /(?<=<!-- faults -->\n).*?(?=<!-- end of faults -->)/s
const ACTS: Readonly<Record<FaultPolicy['blame'], string>> = {
  client: 'caller',
  upstream: 'provider',
  gateway: 'admin',
}

function withRows(readme: string, words: ReadonlyMap<FaultCode, FaultWords>): string {
  if (!ROWS.test(readme)) throw new Error('docs/errors/README.md lacks the marks around its table')
  const rows = [...words].map(([code, { title, cause }]) => {
    const { status, anthropicStatus, retry, blame }: FaultPolicy = FAULTS[code]
    const statuses = anthropicStatus === undefined ? `${status}` : `${status} / ${anthropicStatus}`
    const cells = [`[\`${code}\`](${code}.md)`, statuses, retry === 'never' ? 'no' : 'yes', ACTS[blame]]
    return `| ${[...cells, `**${title}.** ${cause}`].join(' | ')} |`
  })
  const head = ['| fault | HTTP | retry | who acts | what it means |', '|---|---|---|---|---|']
  return readme.replace(ROWS, () => [...head, ...rows, ''].join('\n'))
}

const SOURCE = 'Generated from docs/errors/*.md by test/architecture/fault-texts.test.ts: edit the front matter there.'

function srcTexts(words: ReadonlyMap<FaultCode, FaultWords>): string {
  const entries = [...words].map(([code, { cause, remedy, doctor }]) => entry(code, { cause, remedy, doctor }))
  return `import type { FaultCode } from './faults.ts'

/** What a fault means and how to fix it. */
export interface FaultText {
  readonly cause: string
  readonly remedy: string
  /** What \`tollgate doctor\` advises instead of \`remedy\`. */
  readonly doctor?: string
}

/** ${SOURCE} */
export const FAULT_TEXTS: Readonly<Record<FaultCode, FaultText>> = {
${entries.join('\n')}
}
`
}

function consoleTexts(words: ReadonlyMap<FaultCode, FaultWords>): string {
  const entries = [...words].map(([code, { title, cause, remedy }]) => entry(code, { title, cause, remedy }))
  return `import type { FaultTexts } from './fault-text.ts'

/** ${SOURCE} */
export const texts: FaultTexts = {
${entries.join('\n')}
}
`
}

/** An entry of an object literal as the formatter writes it. */
function entry(code: FaultCode, fields: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return []
    const line = `    ${name}: '${value}',`
    return line.length > WIDTH ? [`    ${name}:`, `      '${value}',`] : [line]
  })
  return [`  ${code}: {`, ...lines, '  },'].join('\n')
}

function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
