import { amountAboveZero } from '../../../forms/typed-numbers.ts'
import { nanoOf, usdOf } from '../../../format/decimal.ts'

/** Addresses of one call: as many as the API takes. */
export const MOST_INVITED = 100

/** The credit of one call in USD, over all its invitations, as the API takes it. */
export const MOST_CREDIT = '10000'

/** What was typed into the field of addresses. */
export interface InvitedLines {
  /** Each address once, in the order in which they were typed. */
  readonly emails: readonly string[]
  /** Lines that hold something else, counted from 1. */
  readonly wrong: readonly { readonly line: number; readonly text: string }[]
  /** Addresses that were there before. */
  readonly repeated: number
}

const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/

/** Reads addresses as mail programs and spreadsheets copy them: one a line, or between commas; `Ada <ada@example.com>` too. */
export function invitedLines(text: string): InvitedLines {
  const seen = new Set<string>()
  const emails: string[] = []
  const wrong: InvitedLines['wrong'][number][] = []
  let repeated = 0
  for (const [index, raw] of text
    .replace('\uFEFF', '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    for (const part of raw.split(/[,;\t]/)) {
      const email = addressIn(part)
      if (email === '') continue
      const key = email.toLowerCase()
      if (!EMAIL.test(email)) wrong.push({ line: index + 1, text: email })
      else if (seen.has(key)) repeated++
      else emails.push(email)
      seen.add(key)
    }
  }
  return { emails, wrong, repeated }
}

/** What so many invitations give in all. null: no credit that can be read. `too_much`: more than one call may give. */
export function creditInAll(credit: string, people: number): string | null {
  const each = amountAboveZero(credit)
  if (each === null) return null
  const total = nanoOf(each) * BigInt(Math.max(people, 1))
  return total > nanoOf(MOST_CREDIT) ? 'too_much' : usdOf(total)
}

/** The address between angle brackets, where it has a name before it. */
function addressIn(part: string): string {
  const text = part.trim()
  const opens = text.lastIndexOf('<')
  return opens >= 0 && text.endsWith('>') ? text.slice(opens + 1, -1).trim() : text
}
