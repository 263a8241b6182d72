import type { FaultCode } from '../../src/contract/usage.ts'

/** What a fault code means to the person who sees it. */
export interface FaultText {
  /** A few words for lists. */
  readonly title: string
  readonly cause: string
  readonly remedy: string
}

export type FaultTexts = Readonly<Record<FaultCode, FaultText>>

/** undefined: a code that this console does not know, from a newer gateway. */
export function faultTextOf(texts: FaultTexts, code: string): FaultText | undefined {
  return Object.entries(texts).find(([name]) => name === code)?.[1]
}
