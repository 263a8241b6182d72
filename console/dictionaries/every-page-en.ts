import { fieldFormsEn, type FieldFormTexts } from './field-forms-en.ts'
import { problemsEn } from './problems-en.ts'
import { sharedEn, type SharedTexts } from './shared-en.ts'

/** The words that every page needs at once: of the shell, of the parts in `ui/`, of what went wrong. */
export const texts: EveryPageTexts = { shared: sharedEn, problems: problemsEn, fieldForms: fieldFormsEn }

export interface EveryPageTexts {
  readonly shared: SharedTexts
  /** The sentences by the codes of problems. */
  readonly problems: Readonly<Record<string, string>>
  readonly fieldForms: FieldFormTexts
}
