import { fieldProblem } from '../problem.ts'

const LONGEST_MS = 24 * 3_600_000

/**
 * Lists leave out the keys of the console's playground, so each of them ends within a day of its creation: what is not seen
 * must not last. Throws Problem.
 */
export function requireSoonEnd(expiresAt: number | null, madeAt: number): void {
  const latest = madeAt + LONGEST_MS
  if (expiresAt !== null && expiresAt <= latest) return
  throw fieldProblem(
    'expires_at',
    'expires_at must be a time within 24 hours of the creation of a key for the playground.',
    { form: 'time_until', values: [new Date(latest).toISOString(), '1'] },
  )
}
