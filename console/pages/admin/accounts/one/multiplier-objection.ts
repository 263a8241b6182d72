const FORM = /^\d{1,6}(\.\d{1,6})?$/

/** What is wrong with a multiplier of an account in a group that has `most`; null: nothing, also where none is written. */
export function multiplierObjection(text: string, most: string): 'form' | 'too_high' | null {
  const written = text.trim()
  if (written === '') return null
  if (!FORM.test(written)) return 'form'
  return Number(written) > Number(most) ? 'too_high' : null
}
