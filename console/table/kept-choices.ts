import { keptTexts } from './kept-texts.ts'
import { readChoices, writeChoices, type TableChoices } from './table-choices.ts'

// How people want tables, kept by this browser for each account.

const KEPT = keptTexts('tollgate.tables.')

/** The text that is kept; null: nothing. */
export const keptText = KEPT.read
export const onKeptChange = KEPT.onChange

/** Changes what is kept by now, which another tab may have changed. */
export function changeKept(accountId: string | null, change: (choices: TableChoices) => TableChoices): void {
  KEPT.change(accountId, (text) => writeChoices(change(readChoices(text))))
}
