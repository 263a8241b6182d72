import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import type { KeySetup } from '../../../../src/contract/setup.ts'

/** What an `.env` file is written from. It holds the secret: it is put together to be shown or copied, never kept. */
interface EnvironmentFacts {
  readonly key: Pick<ApiKeyView, 'name'>
  readonly setup: Pick<KeySetup, 'base_urls'>
  readonly secret: string
}

/**
 * The content of an `.env` file, for SDKs and agents of all three families. ANTHROPIC_AUTH_TOKEN alone: Anthropic's SDKs and
 * Claude Code both read it, and beside ANTHROPIC_API_KEY Claude Code would stop at its first questions.
 */
export function environmentText({ key, setup, secret }: EnvironmentFacts): string {
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
