import { OWN_FORM, OWN_SIGN_IN, type Provider, PROVIDERS } from './provider-table.ts'

export type { Provider } from './provider-table.ts'

/** A provider and what it calls the model. */
export interface NamedProvider {
  readonly provider: Provider | NotCarried
  /** The name as it was written, such as `bedrock`. */
  readonly name: string
  readonly model: string
  /** The API that the name asks for (`openai/responses/NAME`); null: it says none. */
  readonly way: 'responses' | null
}

/** Why this gateway does not speak with a provider. */
export type NotCarried = 'own_form' | 'own_sign_in'

/** Anything that answers as OpenAI does, at the address that the deployment names. */
const UNKNOWN: Provider = { protocol: 'openai-chat', baseUrl: null, version: '', variables: [] }
/** What stands for a provider of which no name is known. */
const NO_NAME = 'openai_like'
/** What stands between provider and model, for the API that is asked. */
const RESPONSES = 'responses/'

/** `openai/gpt-4.1`, and names without a provider, which LiteLLM knows by heart. */
export function providerOf(model: string, custom: string | null): NamedProvider {
  const slash = model.indexOf('/')
  const first = model.slice(0, Math.max(0, slash))
  const written = custom ?? (slash <= 0 ? familyOf(model) : first)
  const rest = first === written ? model.slice(slash + 1) : model
  const isResponses = rest.startsWith(RESPONSES)
  return {
    provider: knownAs(written),
    name: written,
    model: isResponses ? rest.slice(RESPONSES.length) : rest,
    way: isResponses ? 'responses' : null,
  }
}

function knownAs(name: string): Provider | NotCarried {
  if (OWN_SIGN_IN.has(name)) return 'own_sign_in'
  if (OWN_FORM.has(name)) return 'own_form'
  return (Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined) ?? UNKNOWN
}

/** What the provider calls a model that chats or completes, where that differs from what is written. */
export function sentName(model: string, { modelPrefix: prefix }: Provider, mode: unknown): string {
  const isWhole = prefix === undefined || model.startsWith('accounts/') || model.includes('#') || mode === 'embedding'
  return isWhole ? model : prefix + model
}

/** LiteLLM finds the provider of these by their names alone. */
function familyOf(model: string): string {
  if (/^(?:gpt-|chatgpt-|ft:gpt-|o\d|text-embedding-|text-moderation|omni-moderation|dall-e|whisper-|tts-)/.test(model))
    return 'openai'
  if (model.startsWith('claude-')) return 'anthropic'
  if (/^(?:command|embed-|rerank-)/.test(model)) return 'cohere'
  return NO_NAME
}
