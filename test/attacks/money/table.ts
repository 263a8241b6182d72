/** The table of docs/attacks.md: what each case cost, and whether its bound held. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineName, ENGINES } from '../../conformance/store-under-test.ts'
import { MONEY_CASES } from './all-cases.ts'
import { usd } from './bill.ts'
import { type MoneyCase, RULES } from './money-case.ts'
import type { Outcome, Played } from './play-cases.ts'

const PATH = join(import.meta.dirname, '..', '..', '..', 'docs', 'attacks.md')
const BEGIN = '<!-- written by the attacks of npm run test:more; see above -->'
const END = '<!-- end of what is written -->'

const BOUNDS: Readonly<Record<MoneyCase['bound'], string>> = {
  steps: 'steps',
  one: '1 request',
  calls: '1 request, calls 0',
}

const ENGINE_NAMES: Readonly<Record<EngineName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

const COLUMNS = [
  'what the sender does',
  'protocol',
  'bound',
  'rule',
  ...ENGINES.flatMap((engine) => [`alone (${ENGINE_NAMES[engine]})`, `20 at once (${ENGINE_NAMES[engine]})`]),
]

/** The columns that are the same in every run. */
const FIXED = 4
/** And those of one engine. */
const FIGURES = 2

/** What the table must say of a case, however a run went. */
function fixedCells(one: MoneyCase): string[] {
  const number = one.rule === null ? '' : String(Object.keys(RULES).indexOf(one.rule) + 1)
  return [
    one.name,
    one.wire,
    `${one.purseUsd === undefined ? 'cent' : `$${one.purseUsd}`} + ${BOUNDS[one.bound]}`,
    number,
  ]
}

/** Writes the table anew, with the figures of what was played; the others stay as they are. */
export async function writeTable(played: ReadonlyMap<EngineName, readonly Played[]>): Promise<void> {
  const rows = await writtenRows()
  await write((one) =>
    ENGINES.flatMap((engine, index) => {
      const of = played.get(engine)?.find((each) => each.one === one)
      if (of !== undefined) return figuresOf(of)
      const from = FIXED + index * FIGURES
      return rows.find(isRowOf(one))?.slice(from, from + FIGURES) ?? ['', '']
    }),
  )
}

/** Writes what does not differ from run to run anew, and leaves the figures. */
export async function writeFixedCells(): Promise<void> {
  const rows = await writtenRows()
  await write((one) => rows.find(isRowOf(one))?.slice(FIXED) ?? [])
}

function isRowOf({ name, wire }: MoneyCase): (cells: readonly string[]) => boolean {
  return (cells) => cells[0] === name && cells[1] === wire
}

async function write(figuresFor: (one: MoneyCase) => readonly string[]): Promise<void> {
  const blank = COLUMNS.slice(FIXED).map(() => '')
  const rows = MONEY_CASES.map((one) =>
    row([...fixedCells(one), ...figuresFor(one), ...blank].slice(0, COLUMNS.length)),
  )
  const rules = Object.values(RULES).map((rule, index) => `${index + 1}. ${rule}`)
  const text = [...rules, '', row(COLUMNS), row(COLUMNS.map(() => '---')), ...rows].join('\n')
  const document = await readFile(PATH, 'utf8')
  const [before = '', rest = ''] = document.split(BEGIN)
  const after = rest.split(END)[1] ?? ''
  await writeFile(PATH, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`)
}

/** The cells of the document as it is, which must agree with the cases. */
export async function writtenCells(): Promise<readonly (readonly string[])[]> {
  return (await writtenRows()).map((cells) => cells.slice(0, FIXED))
}

/** Names of the cases that have no figures of some engine. */
export async function rowsWithoutFigures(): Promise<readonly (string | undefined)[]> {
  const rows = await writtenRows()
  const lacks = (cells: readonly string[]): boolean =>
    cells.length < COLUMNS.length || cells.some((cell, at) => at >= FIXED && cell === '')
  return rows.filter(lacks).map(([name]) => name)
}

async function writtenRows(): Promise<readonly (readonly string[])[]> {
  const document = await readFile(PATH, 'utf8')
  const part = document.split(BEGIN)[1]?.split(END)[0] ?? ''
  const rows = part.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(2).map((line) => line.slice(2, -2).split(' | '))
}

export function expectedCells(): readonly (readonly string[])[] {
  return MONEY_CASES.map(fixedCells)
}

/** The rules by which less is charged than was billed, as far as the document does not have them. */
export async function missingRules(): Promise<readonly string[]> {
  const document = await readFile(PATH, 'utf8')
  return Object.values(RULES).filter((rule) => !document.includes(rule))
}

function figuresOf(played: Played): string[] {
  const { alone, together } = played
  return [pair(alone), `${together.served}: ${pair(together)}`]
}

function pair({ billed, charged }: Outcome): string {
  return `${usd(billed)} / ${usd(charged)}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
