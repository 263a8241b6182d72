import { amountAboveZero } from '../../../forms/typed-numbers.ts'

/** A line of what was pasted: whom to credit, and how much. */
export interface CreditLine {
  readonly line: number
  readonly email: string
  /** The amount as the API takes it; as it is written where it cannot be read. */
  readonly amount: string
  /** What is wrong with it; null: nothing. */
  readonly objection: 'form' | 'amount' | 'twice' | null
}

const EMAIL = /^[^\s@,;]+@[^\s@,;]+$/
/** The most lines: so many are looked up and credited in a minute. */
export const MOST_LINES = 500

/** Reads `email,amount` lines, as a spreadsheet copies or exports them; blank lines and a header are left out. */
export function creditLines(text: string): readonly CreditLine[] {
  const seen = new Set<string>()
  return text
    .replace('\uFEFF', '')
    .split(/\r?\n/)
    .map((raw, index) => ({ cells: cellsOf(raw), index }))
    .filter(({ cells, index }) => cells.some((cell) => cell !== '') && !(index === 0 && isHeader(cells)))
    .map(({ cells: [email = '', written = '', ...rest], index }): CreditLine => {
      const amount = amountAboveZero(written)
      const key = email.toLowerCase()
      const isTwice = seen.has(key)
      seen.add(key)
      const isForm = EMAIL.test(email) && rest.every((cell) => cell === '')
      const objection = !isForm ? 'form' : amount === null ? 'amount' : isTwice ? 'twice' : null
      return { line: index + 1, email, amount: amount ?? written, objection }
    })
}

/** The cells of a line, between tabs, else semicolons, else commas. A cell in quotes may have its separator in it. */
function cellsOf(line: string): readonly string[] {
  const separator = ['\t', ';'].find((each) => line.includes(each)) ?? ','
  const cells = line.match(separator === '\t' ? BETWEEN_TABS : separator === ';' ? BETWEEN_SEMICOLONS : BETWEEN_COMMAS)
  return (cells ?? []).map((cell) => cell.trim().replace(/^["']|["']$/g, ''))
}

const BETWEEN_TABS = /(?<=^|\t)[^\t]*/g
const BETWEEN_SEMICOLONS = /(?<=^|;)(?:\s*"[^"]*"\s*(?=;|$)|[^;]*)/g
const BETWEEN_COMMAS = /(?<=^|,)(?:\s*"[^"]*"\s*(?=,|$)|[^,]*)/g

function isHeader(cells: readonly string[]): boolean {
  return cells.every((cell) => !cell.includes('@') && !/^\$?\s*\d/.test(cell))
}
