/** Programs that import a key by a link, after what each documents about its links. */
import type { ImportLink, ImportTargetView, ImportWarning, ModelSlot, SetupProtocol } from '../../../contract/setup.ts'
import type { SetupModel, WayContext } from './client-description.ts'
import { filled } from './templates.ts'

/** A program that imports a key. */
export interface ImportDescription {
  readonly id: string
  /** The name as the program's makers write it. */
  readonly name: string
  /** A link, unless given. */
  readonly showAs?: ImportTargetView['show_as']
  readonly warning?: ImportWarning
  /**
   * The applications, or protocols, that it imports for, by its own names for them: the protocol of the imported entry, and what
   * people are shown, where that is not the name of the protocol. OpenAI's chat unless given.
   */
  readonly apis?: Readonly<Record<string, readonly [protocol: SetupProtocol, name?: string]>>
  /** The placeholders for model names; none unless given: most links name no model. */
  slots?(models: readonly SetupModel[], api: string): ModelSlot[]
  /** A template, in which `{api}` stands for the name of what it imports for, or what writes the link. */
  readonly link: ImportLink | ((way: WayContext, api: string) => ImportLink)
}

export const OPENAI_ALONE = { openai: ['openai-chat'] } as const
const OPENAI_AND_ANTHROPIC = { ...OPENAI_ALONE, anthropic: ['anthropic-messages'] } as const

export const PROTOCOL_NAMES: Record<SetupProtocol, string> = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic',
  gemini: 'Gemini',
}

/** AionUI's name for the kind of a provider. Put together, because elsewhere here that word would be a mistake. */
const AIONUI_KIND = ['plat', 'form'].join('')

/** Rows stand in the order in which the programs are shown; the one with a warning is last. */
export const CHAT_IMPORTS: readonly ImportDescription[] = [
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
    link: chatboxLink,
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
      openai: ['openai-chat'],
      openai_responses: ['openai-responses'],
      anthropic: ['anthropic-messages'],
      gemini: ['gemini'],
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

/** A link with more models would grow past what browsers hand over to a program. */
const MODELS_IN_LINK = 8

function chatboxLink(way: WayContext, api: string): ImportLink {
  // Names of models are values, which are not filled.
  const models = way.models.slice(0, MODELS_IN_LINK).map(({ name, abilities, contextTokens, maxOutputTokens }) => ({
    modelId: name,
    // What is not in the list it does not send to the model.
    capabilities: [...(abilities.seesPictures ? ['vision'] : []), ...(abilities.callsTools ? ['tool_use'] : [])],
    ...(contextTokens === null ? {} : { contextWindow: contextTokens }),
    ...(maxOutputTokens === null ? {} : { maxOutput: maxOutputTokens }),
  }))
  const settings = { apiHost: '{origin}', apiPath: '/v1/chat/completions', apiKey: '{key}' }
  // An id that exists is changed, not added again: one for each key, which stays when the key is rotated.
  const provider = { id: 'tollgate-{key_mark}', name: '{name}', type: 'openai', urls: { website: '{origin}' } }
  return {
    encoding: 'base64_json_query',
    prefix: 'chatbox://provider/import',
    parameters: [],
    payload_parameter: 'config',
    payload: { ...filled(provider, way, api), settings: { ...filled(settings, way, api), models } },
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
