import { storedText, storeText } from '../../../stored-text.ts'

const STORED = 'tollgate.client'

/** The client that was set up last in this browser, by its id; null: none. */
export function lastClient(): string | null {
  return storedText(STORED)
}

export function keepLastClient(id: string): void {
  storeText(STORED, id)
}
