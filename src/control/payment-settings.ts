import type { KeptSettings } from './changeable-stores.ts'
import { arePaymentsStored } from './payments/stored-settings.ts'

/** Whether anything was ever set of how payments are taken, for one who writes down what an installation has. */
export function hasPayments(store: Pick<KeptSettings, 'read'>): Promise<boolean> {
  return arePaymentsStored(store)
}
