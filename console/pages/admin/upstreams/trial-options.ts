import { CHAT_WIRES } from '../../../format/wire-names.ts'

/** How a test is sent, beside what it is of. */
export interface TrialOptions {
  /** Empty: as the upstream speaks. */
  readonly protocol: string
  readonly isStream: boolean
  /** Empty: a greeting. */
  readonly text: string
}

export const PLAIN_TRIAL: TrialOptions = { protocol: '', isStream: false, text: '' }

/** The most characters that the API takes. */
export const MOST_CHARACTERS = 1_000

/** The wires with a request that costs next to nothing. */
export const TRIAL_WIRES: readonly string[] = [
  ...CHAT_WIRES,
  'openai-embeddings',
  'openai-completions',
  'openai-moderations',
  'rerank',
]

export function trialBody({ protocol, isStream, text }: TrialOptions): {
  readonly protocol?: string
  readonly stream?: boolean
  readonly text?: string
} {
  return {
    ...(protocol === '' ? {} : { protocol }),
    ...(isStream ? { stream: true } : {}),
    ...(text.trim() === '' ? {} : { text: text.trim() }),
  }
}
