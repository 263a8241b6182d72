import { broughtHashOf } from '../../access/brought-key.ts'
import { displayParts } from '../../access/key-secret.ts'
import type { PlannedKey } from '../import-plan.ts'
import type { ImportStep } from './apply-step.ts'

type Hashing = Pick<ImportStep, 'hashSecret' | 'hashState'>

/** The secret of a planned key as it is stored. `brought`: as a key that came by its hash alone may have it. */
export function storedSecret(
  step: Pick<Hashing, 'hashSecret'>,
  { secret }: Pick<PlannedKey, 'secret'>,
): { readonly hash: string; readonly brought?: string; readonly start: string; readonly end: string } {
  if (typeof secret !== 'string') return { ...secret, start: '' }
  return { hash: step.hashSecret(secret), brought: broughtHashOf(secret), ...displayParts(secret) }
}

/**
 * The id by which the row of a planned key is known again. The source knows it by a hash of its secret that anyone can make, which is
 * not to stay here once the key has its own.
 */
export function sourceIdOf(
  step: Pick<Hashing, 'hashState'>,
  { id, secret }: Pick<PlannedKey, 'id' | 'secret'>,
): string {
  return typeof secret === 'string' ? id : step.hashState(`row of ${secret.hash}`)
}
