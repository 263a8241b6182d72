import type { ModelFacts, When } from '../../models/facts.ts'
import type { ClientSettings, SettingsToWrite } from './request-settings.ts'
import type { UpstreamCall } from './spoke.ts'

/** The settings on sampling that some models refuse, each with the fact that says so. */
const FACT_OF = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  frequencyPenalty: 'penalties',
  presencePenalty: 'penalties',
  seed: 'seed',
} as const satisfies Partial<Record<keyof ClientSettings, keyof ModelFacts>>

export type SamplingName = keyof typeof FACT_OF

/** What every model does by itself; to leave it out changes nothing and is not named. */
const BY_ITSELF: Partial<Record<SamplingName, number>> = {
  temperature: 1,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}

/** Takes settings on sampling for a model with these facts. What it refuses is left out and named. */
export class SamplingToWrite {
  readonly #settings: SettingsToWrite
  readonly #facts: ModelFacts
  readonly #reasons: boolean

  /** `reasons`: the model reasons before it answers. */
  constructor({ settings, facts }: UpstreamCall, reasons: boolean) {
    this.#settings = settings
    this.#facts = facts
    this.#reasons = reasons
  }

  take(name: SamplingName): number | null {
    const value = this.#settings.take(name)
    if (value === null || this.#mayStand(name, value)) return this.#bounded(name, value)
    if (value !== BY_ITSELF[name]) this.#settings.drop(name)
    return null
  }

  /** Throws the fault `request_invalid` where the model cannot do what the client asked for. */
  takeLogprobs(): number | null {
    const value = this.#settings.take('logprobs')
    if (value !== null && !isTaken(this.#facts.logprobs, this.#reasons)) {
      return this.#settings.refuse('logprobs', 'the model does not tell the probabilities of tokens')
    }
    return value
  }

  takeLogitBias(): ClientSettings['logitBias'] | null {
    const value = this.#settings.take('logitBias')
    if (value !== null && !isTaken(this.#facts.logit_bias, this.#reasons)) {
      return this.#settings.refuse('logitBias', 'the model takes no bias on tokens')
    }
    return value
  }

  /** How many answers are asked for at once. Throws the fault `request_invalid` where the model gives one alone. */
  takeChoices(): number | null {
    const value = this.#settings.take('choices')
    if (value !== null && !this.#facts.choices) {
      return this.#settings.refuse('choices', 'the model gives one answer to a request')
    }
    return value
  }

  #mayStand(name: SamplingName, value: number): boolean {
    const facts = this.#facts
    if (!isTaken(facts[FACT_OF[name]], this.#reasons)) return false
    if (name !== 'topP') return true
    if (this.#reasons && value < facts.top_p_least_while_reasoning) return false
    return facts.temperature_with_top_p || !this.#sendsTemperature()
  }

  #sendsTemperature(): boolean {
    return this.#settings.take('temperature') !== null && isTaken(this.#facts.temperature, this.#reasons)
  }

  #bounded(name: SamplingName, value: number | null): number | null {
    if (name !== 'temperature' || value === null) return value
    const { temperature_least: least, temperature_most: most } = this.#facts
    const bounded = Math.max(least, Math.min(most, value))
    if (bounded !== value) this.#settings.drop('temperature')
    return bounded
  }
}

/**
 * Takes the output limit: clients ask for more than a model can write, and mean all that it can. Throws the fault
 * `request_invalid` for less than `least`.
 */
export function takeOutputLimit({ settings, facts, modelMaxOutputTokens }: UpstreamCall, least = 0): number | null {
  const limit = settings.take('maxOutputTokens')
  if (limit === null) return null
  if (limit < least) settings.refuse('maxOutputTokens', `it takes ${least} tokens or more`)
  return Math.min(limit, modelMaxOutputTokens ?? facts.most_output)
}

function isTaken(when: When, reasons: boolean): boolean {
  return when === 'taken' || (when === 'not_while_reasoning' && !reasons)
}
