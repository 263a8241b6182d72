/** A line of what was pasted: whom to credit, and how much. */
export interface CreditLine {
  readonly line: number
  readonly email: string
  readonly amount: string
  /** What is wrong with it; null: nothing. */
  readonly objection: 'form' | 'amount' | 'twice' | null
}

const AMOUNT = /^(?=.*[1-9])\d{1,9}(\.\d{1,9})?$/
const EMAIL = /^[^\s@,;]+@[^\s@,;]+$/
/** As many as are looked up and credited in a minute. */
export const MOST_LINES = 500

/** Reads `email,amount` lines, as a spreadsheet copies or exports them; blank lines and a header are left out. */
export function creditLines(text: string): readonly CreditLine[] {
  const seen = new Set<string>()
  return text
    .replace('\uFEFF', '')
    .split(/\r?\n/)
    .map((raw, index) => ({ cells: raw.split(/[,;\t]/).map((cell) => cell.trim().replace(/^["']|["']$/g, '')), index }))
    .filter(({ cells, index }) => cells.some((cell) => cell !== '') && !(index === 0 && isHeader(cells)))
    .map(({ cells: [email = '', amount = '', ...rest], index }): CreditLine => {
      const given = amount.replace(/^\$\s*/, '')
      const key = email.toLowerCase()
      const isTwice = seen.has(key)
      seen.add(key)
      const isForm = EMAIL.test(email) && rest.every((cell) => cell === '')
      const objection = !isForm ? 'form' : !AMOUNT.test(given) ? 'amount' : isTwice ? 'twice' : null
      return { line: index + 1, email, amount: given, objection }
    })
}

function isHeader(cells: readonly string[]): boolean {
  return cells.every((cell) => !cell.includes('@') && !/^\$?\s*\d/.test(cell))
}
