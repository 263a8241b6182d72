import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import type { KeySetup } from '../../../../src/contract/setup.ts'

/** A key with everything that a client asks for. It holds the secret: it is put together to be shown or copied, never kept. */
export interface KeyCard {
  readonly key: Pick<ApiKeyView, 'name' | 'group'>
  readonly setup: Pick<KeySetup, 'base_urls'> & { readonly models: readonly { readonly name: string }[] }
  readonly secret: string
}

export type CardFields = Readonly<Record<'name' | 'group' | 'openai' | 'anthropic' | 'secret' | 'models', string>>

/**
 * The content of an `.env` file, for SDKs and agents of all three families. ANTHROPIC_AUTH_TOKEN alone: Anthropic's SDKs and
 * Claude Code both read it, and beside ANTHROPIC_API_KEY Claude Code would stop at its first questions.
 */
export function environmentText({ key, setup, secret }: KeyCard): string {
  const lines = [
    ['OPENAI_BASE_URL', setup.base_urls.openai],
    ['OPENAI_API_KEY', secret],
    ['ANTHROPIC_BASE_URL', setup.base_urls.anthropic],
    ['ANTHROPIC_AUTH_TOKEN', secret],
    // Google's clients append the version, as Anthropic's do.
    ['GOOGLE_GEMINI_BASE_URL', setup.base_urls.anthropic],
    ['GEMINI_API_KEY', secret],
  ]
  const head = `# Tollgate, ${key.name.replace(/\p{C}/gu, ' ').trim()}`
  return [head, ...lines.map(([name, value]) => `${name}=${value}`)].join('\n') + '\n'
}

/** The card as text, a line each. */
export function cardText({ key, setup, secret }: KeyCard, fields: CardFields): string {
  const lines = [
    [fields.name, key.name],
    [fields.group, key.group],
    [fields.openai, setup.base_urls.openai],
    [fields.anthropic, setup.base_urls.anthropic],
    [fields.secret, secret],
    [fields.models, setup.models.map(({ name }) => name).join(', ')],
  ]
  return lines.map(([label, value]) => `${label}: ${value}`).join('\n') + '\n'
}
