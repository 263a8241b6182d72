import type { ImportLink } from '../../../contract/setup.ts'
import type { ImportDescription } from './chat-imports.ts'
import { clientBaseUrl, modelSlot, type WayContext } from './client-description.ts'
import { claudeSlots } from './model-choice.ts'

/** CC Switch keeps the setups of several coding agents; each has a link of its own. */
export const CC_SWITCH: ImportDescription = {
  id: 'cc-switch',
  name: 'CC Switch',
  warning: 'new_entry_each_time',
  apis: {
    claude: ['anthropic-messages', 'Claude Code'],
    codex: ['openai-responses', 'Codex'],
    gemini: ['gemini', 'Gemini CLI'],
    grokbuild: ['openai-chat', 'Grok Build'],
    opencode: ['openai-chat', 'opencode'],
    openclaw: ['openai-chat', 'OpenClaw'],
    hermes: ['openai-chat', 'Hermes'],
  },
  // Without a model CC Switch would write one of its own into Codex's configuration.
  slots: (models, app) => (app === 'claude' ? claudeSlots(models) : [modelSlot(models)]),
  link: providerLink,
}

function providerLink(way: WayContext, app: string): ImportLink {
  const parameters = {
    resource: 'provider',
    app,
    name: '{name}',
    homepage: way.origin,
    endpoint: clientBaseUrl(way),
    apiKey: '{key}',
    model: '{model}',
    ...(app === 'claude'
      ? { haikuModel: '{haiku_model}', sonnetModel: '{sonnet_model}', opusModel: '{opus_model}' }
      : {}),
    ...(mayRunScripts(way.origin) ? usageParameters(way.origin) : {}),
  }
  return {
    encoding: 'query',
    prefix: 'ccswitch://v1/import',
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
  }
}

/** CC Switch refuses a script that asks over plain HTTP, unless on this machine. */
function mayRunScripts(origin: string): boolean {
  return /^https:|^http:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?(\/|$)/.test(origin)
}

function usageParameters(origin: string): Record<string, string> {
  return {
    usageEnabled: 'true',
    usageBaseUrl: origin,
    usageAutoInterval: '10',
    usageScript: Buffer.from(USAGE_SCRIPT).toString('base64'),
  }
}

/**
 * Asks `GET /v1/usage` (docs/receipts.md) in CC Switch's terms, which wants numbers. Short, because the whole link has to
 * stay below 2 kB.
 */
const USAGE_SCRIPT = `({request:{url:'{{baseUrl}}/v1/usage',method:'GET',headers:{Authorization:'Bearer {{apiKey}}'}},
extractor:u=>({isValid:u.isValid,invalidMessage:u.invalidMessage,remaining:u.remaining===null?null:Number(u.remaining),
unit:u.unit,planName:u.planName,total:u.quota.limit===null?null:Number(u.quota.limit),used:Number(u.quota.used)})})`
