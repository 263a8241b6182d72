/**
 * Settings that a group gives to each signed-in Claude Code, as an admin wrote them: any JSON object, in the client's own words.
 * What its keys do is taken from Claude Code 2.1.332. Runs in browsers too.
 */
export type ClaudeSettings = Readonly<Record<string, unknown>>

/** The largest settings, in JSON. Every device of the group reads them each hour. */
export const CLAUDE_SETTINGS_BYTES = 65_536
const DEPTH = 20

/**
 * What a setting does to those who get it. `runs`: it runs a command on their computers, and `asks`: it can lead there or
 * redirect their requests; the client asks before it takes either, and ends where the answer is No. `unknown`: anything else that
 * is not known to be harmless. All three are for admins alone.
 */
export type SettingEffect = 'runs' | 'asks' | 'unknown' | 'harmless'

export interface ClaudeSetting {
  /** `hooks`, `env.NODE_OPTIONS`. */
  readonly path: string
  readonly does: SettingEffect
  readonly value: unknown
}

const RUNS = new Set([
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'fileSuggestion',
  'gcpAuthRefresh',
  'hooks',
  'otelHeadersHelper',
  'policyHelpers',
  'processWrapper',
  'proxyAuthHelper',
  'statusLine',
  'subagentStatusLine',
])
const ASKS = new Set(['extraKnownMarketplaces', 'sandbox'])
const HARMLESS = new Set([
  'alwaysThinkingEnabled',
  'attribution',
  'availableModels',
  'cleanupPeriodDays',
  'companyAnnouncements',
  'deniedModels',
  'effortLevel',
  'enforceAvailableModels',
  'fallbackModel',
  'includeCoAuthoredBy',
  'language',
  'model',
  'spinnerTipsEnabled',
])
/** Permissions that only take away. */
const HARMLESS_PERMISSIONS = new Set(['ask', 'deny', 'disableAutoMode', 'disableBypassPermissionsMode'])
/** The client takes these variables without a question; it has more, for which a gateway has no use. */
const HARMLESS_VARIABLES = new Set([
  'ANTHROPIC_DEFAULT_MODEL',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
  'BASH_DEFAULT_TIMEOUT_MS',
  'BASH_MAX_OUTPUT_LENGTH',
  'BASH_MAX_TIMEOUT_MS',
  'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE',
  'CLAUDE_CODE_AUTO_COMPACT_WINDOW',
  'CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING',
  'CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS',
  'CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY',
  'CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK',
  'CLAUDE_CODE_DISABLE_THINKING',
  'CLAUDE_CODE_EFFORT_LEVEL',
  'CLAUDE_CODE_MAX_CONTEXT_TOKENS',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_PROMPT_CACHE_TTL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
  'DISABLE_AUTOUPDATER',
  'DISABLE_AUTO_COMPACT',
  'DISABLE_BUG_COMMAND',
  'DISABLE_COST_WARNINGS',
  'DISABLE_FEEDBACK_COMMAND',
  'DISABLE_INTERLEAVED_THINKING',
  'DISABLE_PROMPT_CACHING',
  'DISABLE_UPDATES',
  'ENABLE_TOOL_SEARCH',
  'MAX_MCP_OUTPUT_TOKENS',
  'MAX_THINKING_TOKENS',
  'MCP_TIMEOUT',
  'MCP_TOOL_TIMEOUT',
])
const HARMLESS_MODEL_VARIABLE =
  /^ANTHROPIC_(?:DEFAULT_(?:FABLE|HAIKU|OPUS|SONNET)_MODEL|CUSTOM_MODEL_OPTION)(?:_NAME|_DESCRIPTION|_SUPPORTED_CAPABILITIES)?$/

/** What is wrong with settings, as the end of a sentence that begins with their name; null: nothing. */
export function objectionToClaudeSettings(settings: ClaudeSettings): string | null {
  if (isDeeper(settings, DEPTH)) return `must have at most ${DEPTH} levels`
  if (new TextEncoder().encode(JSON.stringify(settings)).length > CLAUDE_SETTINGS_BYTES) {
    return `must be at most ${CLAUDE_SETTINGS_BYTES} bytes of JSON`
  }
  return Object.keys(settings).length === 0 ? 'must have a setting in it, or be null' : null
}

/** The settings one by one, variables and permissions each by itself. */
export function eachClaudeSetting(settings: ClaudeSettings): readonly ClaudeSetting[] {
  return Object.entries(settings).flatMap(([name, value]): readonly ClaudeSetting[] => {
    if (name === 'env') return eachWithin(name, value, (inner) => (isHarmlessVariable(inner) ? 'harmless' : 'asks'))
    if (name === 'permissions') {
      return eachWithin(name, value, (inner) => (HARMLESS_PERMISSIONS.has(inner) ? 'harmless' : 'unknown'))
    }
    const does = RUNS.has(name) ? 'runs' : ASKS.has(name) ? 'asks' : HARMLESS.has(name) ? 'harmless' : 'unknown'
    return [{ path: name, does, value }]
  })
}

function eachWithin(
  name: string,
  value: unknown,
  effectOf: (inner: string) => SettingEffect,
): readonly ClaudeSetting[] {
  if (!isObject(value)) return [{ path: name, does: 'unknown', value }]
  return Object.entries(value).map(([inner, each]) => ({
    path: `${name}.${inner}`,
    does: effectOf(inner),
    value: each,
  }))
}

function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLES.has(name) || HARMLESS_MODEL_VARIABLE.test(name)
}

function isObject(value: unknown): value is ClaudeSettings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
