import type { Effort } from '../../models/facts.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { Notes } from './notes.ts'

/** What a request may set beside its conversation and tools. Each is there only when the client set it. */
export interface ClientSettings {
  /** Tokens, reasoning included. */
  readonly maxOutputTokens: number
  /** The temperature on the scale of 0 to 2 that OpenAI and Google use; Anthropic's ends at 1, which is the same as 1 here. */
  readonly temperature: number
  readonly topP: number
  readonly topK: number
  readonly frequencyPenalty: number
  readonly presencePenalty: number
  readonly seed: number
  readonly stop: readonly string[]
  /** Answers asked for at once, 2 or more. */
  readonly choices: number
  /** How many alternatives to tell for each token, 0 to 20. */
  readonly logprobs: number
  readonly logitBias: JsonObject
  readonly format: OutputFormat
  readonly reasoning: Reasoning
  readonly verbosity: string
  /** False: at most one tool call in an answer. True is what every provider does by itself. */
  readonly parallelToolCalls: boolean
  readonly serviceClass: string
  /** An opaque name of the end user. */
  readonly user: string
  readonly metadata: JsonObject
  /** Requests with the same one share a prompt cache. */
  readonly cacheKey: string
}

export type OutputFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string | null
      readonly description: string | null
      readonly schema: JsonObject
      readonly isStrict: boolean | null
    }

export interface Reasoning {
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`; null: the model decides, or `budgetTokens` says it. */
  readonly effort: Effort | null
  /** Tokens that may be thought; null: not said. 0: none. */
  readonly budgetTokens: number | null
  /** Whether the client wants to see it, or a summary of it; null: not said. */
  readonly isShown: boolean | null
}

export type { Effort }

export type RequestSettingName = keyof ClientSettings

/**
 * Settings that may be left out where the other wire has none of the kind, since the answer stays what was asked for. All
 * others are refused then. Listed in docs/translation.md, and for the caller in a header.
 */
export const LEAVABLE_SETTINGS: ReadonlySet<RequestSettingName> = new Set([
  'seed',
  'verbosity',
  'serviceClass',
  'user',
  'metadata',
  'cacheKey',
])

/** The settings of one request, each with the field of the client's body that it was said in. */
export class RequestSettings {
  readonly #said = new Map<RequestSettingName, { readonly value: unknown; readonly field: string }>()

  /** Notes a setting. Null is none, and says nothing. */
  say<Name extends RequestSettingName>(name: Name, value: ClientSettings[Name] | null, field: string): void {
    if (value !== null) this.#said.set(name, { value, field })
  }

  /** Looks at a setting without carrying it. */
  get<Name extends RequestSettingName>(name: Name): ClientSettings[Name] | null {
    return (this.#said.get(name)?.value as ClientSettings[Name] | undefined) ?? null
  }

  fieldOf(name: RequestSettingName): string {
    return this.#said.get(name)?.field ?? name
  }

  get names(): readonly RequestSettingName[] {
    return [...this.#said.keys()]
  }
}

/** The settings as one writer takes them: what it did not take is left out or refused at the end, never forgotten. */
export class SettingsToWrite {
  readonly #settings: RequestSettings
  readonly #notes: Notes
  readonly #taken = new Set<RequestSettingName>()
  readonly #replaced = new Map<RequestSettingName, unknown>()

  constructor(settings: RequestSettings, notes: Notes) {
    this.#settings = settings
    this.#notes = notes
  }

  /** The setting, which the caller then carries; null where the client did not set it. */
  take<Name extends RequestSettingName>(name: Name): ClientSettings[Name] | null {
    this.#taken.add(name)
    if (this.#replaced.has(name)) return this.#replaced.get(name) as ClientSettings[Name] | null
    return this.#settings.get(name)
  }

  /** The setting where its value is taken, as `isTaken` says; null, and left out, where it is not: it is a harmless hint. */
  takeWhere<Name extends RequestSettingName>(
    name: Name,
    isTaken: (value: ClientSettings[Name]) => boolean,
  ): ClientSettings[Name] | null {
    const value = this.take(name)
    if (value === null || isTaken(value)) return value
    this.drop(name)
    return null
  }

  /** Gives the writer another value, because the gateway sees to the rest of what was asked for. */
  replace<Name extends RequestSettingName>(name: Name, value: ClientSettings[Name] | null): void {
    this.#replaced.set(name, value)
  }

  /** Refuses the setting at hand, because its value cannot be carried. */
  refuse(name: RequestSettingName, why: string): never {
    return this.#notes.refuse(this.#settings.fieldOf(name), why)
  }

  /** Leaves it out, or a field in it, because its value is a harmless hint. */
  drop(name: RequestSettingName, field = ''): void {
    this.#notes.drop(this.#settings.fieldOf(name) + field)
  }

  /** Throws the fault `request_invalid` for the first that was not taken and may not be left out. */
  end(): void {
    for (const name of this.#settings.names) {
      if (this.#taken.has(name)) continue
      if (!LEAVABLE_SETTINGS.has(name)) this.refuse(name, 'it has nothing of the kind')
      this.drop(name)
    }
  }
}
