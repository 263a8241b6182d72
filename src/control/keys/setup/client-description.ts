import type {
  ModelSlot,
  SetupAdvice,
  SetupClient,
  SetupListed,
  SetupProtocol,
  SetupWay,
} from '../../../contract/setup.ts'
import type { ModelKind } from '../../../core/model-kind.ts'
import type { ModelAbilities } from '../../../routing/abilities-by-name.ts'
import type { NanoUsd } from '../../../core/money.ts'
import { familyOf, type Wire, type WireFamily } from '../../../core/wire.ts'

/** A model that the key can call now. */
export interface SetupModel {
  readonly name: string
  /** The wires it can be called over. */
  readonly wires: readonly Wire[]
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly kind: ModelKind
  readonly abilities: ModelAbilities
  readonly isRecommended: boolean
  /** Whether it would answer now, by what is known of its upstreams and of late; null: it was not tried. */
  readonly answers: boolean | null
  /** What a conversation costs, by weight: 0 is free; null: it has no price for what it writes. */
  readonly price: NanoUsd | null
}

/** What a setup over one protocol is written from. */
export interface WayContext {
  readonly protocol: SetupProtocol
  /** The gateway's address without a slash at its end: letters, digits and `.:[]-/` only, so that no text has to quote it. */
  readonly origin: string
  /** Tells keys apart in programs that know providers by an id: the end of the key's id. */
  readonly keyMark: string
  /** The origin with `/v1`, for clients that append `/chat/completions`. */
  readonly openaiBaseUrl: string
  /** The key's models that speak the protocol, the suggested one first; never empty. */
  readonly models: readonly SetupModel[]
  /** The models that a file lists; the chosen one may be a placeholder, and may be listed twice until it is filled in. */
  readonly inFiles: readonly Pick<SetupModel, 'name' | 'contextTokens' | 'maxOutputTokens' | 'abilities'>[]
  readonly listed: SetupListed
}

/** The sizes that most models have at least, for a file that takes no model without sizes. */
export const USUAL_CONTEXT_TOKENS = 128_000
export const USUAL_OUTPUT_TOKENS = 8_192

/** The base URL that clients of a protocol take: those of OpenAI append what stands behind `/v1`, the others the version too. */
export function clientBaseUrl({ protocol, origin, openaiBaseUrl }: WayContext): string {
  const baseUrls: Record<WireFamily, string> = { openai: openaiBaseUrl, anthropic: origin, gemini: origin }
  return baseUrls[familyOf(protocol)]
}

/** The facts that every client has. */
export interface ClientFacts {
  readonly id: string
  /** The name as the client's makers write it. */
  readonly name: string
  /** The protocols that the client can speak, the one that suits it best first. */
  readonly protocols: readonly SetupProtocol[]
  readonly advice: readonly SetupAdvice[]
  /** Set where a file of the client lists models beside the chosen one. */
  readonly listsModels?: true
  /** The placeholders for model names; one, `model`, unless given. */
  slots?(models: readonly SetupModel[]): ModelSlot[]
}

/** A client of the console's list, and how its steps are written. */
export interface ClientDescription extends ClientFacts {
  readonly category: SetupClient['category']
  systems(way: WayContext): SetupWay['systems']
}
