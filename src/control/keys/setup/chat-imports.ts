/** Chat programs that import a key by a link, after what each documents about its links. */
import type { ImportLink, ImportTargetView, ImportWarning, SetupProtocol } from '../../../contract/setup.ts'
import type { WayContext } from './client-description.ts'
import type { ImportDescription } from './import-description.ts'
import { filled } from './templates.ts'

/** The facts of a program. In its link `{api}` stands for the option: the program's own name for the protocol. */
interface ImportRow {
  readonly id: string
  readonly name: string
  readonly showAs?: ImportTargetView['show_as']
  readonly warning?: ImportWarning
  /** The program's names for the protocols; OpenAI's chat unless given. */
  readonly apis?: Readonly<Record<string, SetupProtocol>>
  readonly link: ImportLink
  /** The part of the payload that lists models. */
  readonly modelSettings?: (way: WayContext) => object
}

const OPENAI_ALONE = { openai: 'openai-chat' } as const
const OPENAI_AND_ANTHROPIC = { ...OPENAI_ALONE, anthropic: 'anthropic-messages' } as const

const OPTION_NAMES: Record<SetupProtocol, string> = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic',
  gemini: 'Gemini',
}

/** AionUI's name for the kind of a provider. Put together, because elsewhere here that word would be a mistake. */
const AIONUI_KIND = ['plat', 'form'].join('')

/** Rows stand in the order in which the programs are shown; the one with a warning is last. */
const ROWS: readonly ImportRow[] = [
  {
    id: 'cherry-studio',
    name: 'Cherry Studio',
    apis: OPENAI_AND_ANTHROPIC,
    // An id that exists is changed, not added again: one for each protocol and key, which stays when the key is rotated.
    link: base64Query('cherrystudio://providers/api-keys', 'data', {
      id: 'tollgate-{api}-{key_mark}',
      baseUrl: '{origin}',
      apiKey: '{key}',
      name: '{name}',
      type: '{api}',
    }),
  },
  {
    id: 'chatbox',
    name: 'Chatbox',
    link: {
      encoding: 'base64_json_query',
      prefix: 'chatbox://provider/import',
      parameters: [],
      payload_parameter: 'config',
      payload: {
        // An id that exists is changed, not added again: one for each key, which stays when the key is rotated.
        id: 'tollgate-{key_mark}',
        name: '{name}',
        type: 'openai',
        urls: { website: '{origin}' },
        settings: { apiHost: '{origin}', apiPath: '/v1/chat/completions', apiKey: '{key}' },
      },
    },
    modelSettings: chatboxModels,
  },
  {
    id: 'aionui',
    name: 'AionUI',
    link: base64Query('aionui://provider/add', 'data', {
      [AIONUI_KIND]: 'custom',
      name: '{name}',
      baseUrl: '{base_url}',
      apiKey: '{key}',
    }),
  },
  {
    id: 'deepchat',
    name: 'DeepChat',
    apis: OPENAI_AND_ANTHROPIC,
    link: base64Query('deepchat://provider/install', 'data', {
      name: '{name}',
      type: '{api}',
      baseUrl: '{client_url}',
      apiKey: '{key}',
    }),
  },
  {
    id: 'aqbot',
    name: 'AQBot',
    apis: {
      openai: 'openai-chat',
      openai_responses: 'openai-responses',
      anthropic: 'anthropic-messages',
      gemini: 'gemini',
    },
    // It appends /v1 itself.
    link: query('aqbot://providers', { name: '{name}', baseurl: '{origin}', apikey: '{key}', type: '{api}' }),
  },
  {
    id: 'nextchat',
    name: 'NextChat',
    // In the fragment: the web server that serves NextChat does not see it, the page does.
    warning: 'key_in_web_address',
    link: jsonQuery('https://app.nextchat.dev/#/', { key: '{key}', url: '{origin}' }),
  },
  { id: 'opencat', name: 'OpenCat', link: query('opencat://team/join', { domain: '{origin}', token: '{key}' }) },
  { id: 'ama', name: 'AMA', link: query('ama://set-api-key', { server: '{origin}', key: '{key}' }) },
  {
    id: 'kelivo',
    name: 'Kelivo',
    showAs: 'qr',
    warning: 'scan_with_phone',
    link: {
      encoding: 'base64_json_plain',
      prefix: 'ai-provider:v1:',
      payload: { type: 'openai', name: '{name}', apiKey: '{key}', baseUrl: '{base_url}' },
    },
  },
  {
    id: 'lobechat',
    name: 'LobeChat',
    warning: 'key_reaches_web_server',
    // As its guide to settings in addresses has it; the host of previews has data of its own.
    link: jsonQuery('https://lobehub.com/', { keyVaults: { openai: { apiKey: '{key}', baseURL: '{base_url}' } } }),
  },
]

export const CHAT_IMPORTS: readonly ImportDescription[] = ROWS.map(
  ({ id, name, showAs = 'link', warning, apis = OPENAI_ALONE, link, modelSettings }) => ({
    id,
    name,
    showAs,
    warnings: warning === undefined ? [] : [warning],
    options: Object.entries(apis).map(([api, protocol]) => ({
      id: api,
      name: OPTION_NAMES[protocol],
      protocol,
      link: (way) => withModels(filled(link, way, api), modelSettings?.(way)),
    })),
  }),
)

/** Models enter a link that is filled already: their names are values. */
function withModels(link: ImportLink, models: object | undefined): ImportLink {
  if (models === undefined || !('payload' in link)) return link
  const { settings, ...payload } = link.payload
  return { ...link, payload: { ...payload, settings: { ...Object(settings), ...models } } }
}

/** A link with more models would grow past what browsers hand over to a program. */
const MODELS_IN_LINK = 8

function chatboxModels({ models }: WayContext): object {
  return {
    models: models.slice(0, MODELS_IN_LINK).map(({ name, abilities, contextTokens, maxOutputTokens }) => ({
      modelId: name,
      // What is not in the list it does not send to the model.
      capabilities: [...(abilities.seesPictures ? ['vision'] : []), ...(abilities.callsTools ? ['tool_use'] : [])],
      ...(contextTokens === null ? {} : { contextWindow: contextTokens }),
      ...(maxOutputTokens === null ? {} : { maxOutput: maxOutputTokens }),
    })),
  }
}

function query(prefix: string, parameters: Readonly<Record<string, string>>): ImportLink {
  return { encoding: 'query', prefix, parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })) }
}

function base64Query(prefix: string, payload_parameter: string, payload: Readonly<Record<string, string>>): ImportLink {
  return { encoding: 'base64_json_query', prefix, parameters: [{ name: 'v', value: '1' }], payload_parameter, payload }
}

function jsonQuery(prefix: string, payload: Readonly<Record<string, unknown>>): ImportLink {
  return { encoding: 'json_query', prefix, parameters: [], payload_parameter: 'settings', payload }
}
