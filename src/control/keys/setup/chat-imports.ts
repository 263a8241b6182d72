import type { ImportLink } from '../../../contract/setup.ts'
import { clientBaseUrl, type WayContext } from './client-description.ts'
import type { ImportDescription, ImportOptionDescription } from './import-description.ts'

const NAMES: Record<ImportOptionDescription['protocol'], string> = {
  'openai-chat': 'OpenAI',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic',
  gemini: 'Gemini',
}

// One description per program, after what each documents about its links.

const cherryStudio: ImportDescription = {
  id: 'cherry-studio',
  name: 'Cherry Studio',
  showAs: 'link',
  warnings: [],
  options: [cherryOption('openai', 'openai-chat'), cherryOption('anthropic', 'anthropic-messages')],
}

function cherryOption(type: 'openai' | 'anthropic', protocol: ImportOptionDescription['protocol']) {
  return {
    ...vendorOption(type, protocol),
    link: ({ origin, keyMark }: WayContext): ImportLink => ({
      encoding: 'base64_json_query',
      prefix: 'cherrystudio://providers/api-keys',
      parameters: [{ name: 'v', value: '1' }],
      payload_parameter: 'data',
      // An id that exists is changed, not added again: one for each protocol and key, which stays when the key is rotated.
      payload: { id: `tollgate-${type}-${keyMark}`, baseUrl: origin, apiKey: '{key}', name: '{name}', type },
    }),
  }
}

/** How many models stand in a link: with more it would grow past what browsers hand over to a program. */
const MODELS_IN_LINK = 8

const chatbox: ImportDescription = {
  id: 'chatbox',
  name: 'Chatbox',
  showAs: 'link',
  warnings: [],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ origin, keyMark, models }) => ({
        encoding: 'base64_json_query',
        prefix: 'chatbox://provider/import',
        parameters: [],
        payload_parameter: 'config',
        payload: {
          // An id that exists is changed, not added again: one for each key, which stays when the key is rotated.
          id: `tollgate-${keyMark}`,
          name: '{name}',
          type: 'openai',
          urls: { website: origin },
          settings: {
            apiHost: origin,
            apiPath: '/v1/chat/completions',
            apiKey: '{key}',
            models: models.slice(0, MODELS_IN_LINK).map(({ name, abilities, contextTokens, maxOutputTokens }) => ({
              modelId: name,
              // What is not in the list it does not send to the model.
              capabilities: [
                ...(abilities.seesPictures ? ['vision'] : []),
                ...(abilities.callsTools ? ['tool_use'] : []),
              ],
              ...(contextTokens === null ? {} : { contextWindow: contextTokens }),
              ...(maxOutputTokens === null ? {} : { maxOutput: maxOutputTokens }),
            })),
          },
        },
      }),
    },
  ],
}

/** AionUI's name for the kind of a provider. Put together, because elsewhere here that word would be a mistake. */
const AIONUI_KIND = ['plat', 'form'].join('')

const aionUi: ImportDescription = {
  id: 'aionui',
  name: 'AionUI',
  showAs: 'link',
  warnings: [],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ openaiBaseUrl }) => ({
        encoding: 'base64_json_query',
        prefix: 'aionui://provider/add',
        parameters: [{ name: 'v', value: '1' }],
        payload_parameter: 'data',
        payload: { [AIONUI_KIND]: 'custom', name: '{name}', baseUrl: openaiBaseUrl, apiKey: '{key}' },
      }),
    },
  ],
}

const deepChat: ImportDescription = {
  id: 'deepchat',
  name: 'DeepChat',
  showAs: 'link',
  warnings: [],
  options: [deepChatOption('openai', 'openai-chat'), deepChatOption('anthropic', 'anthropic-messages')],
}

function deepChatOption(type: 'openai' | 'anthropic', protocol: ImportOptionDescription['protocol']) {
  return {
    ...vendorOption(type, protocol),
    link: (way: WayContext): ImportLink => ({
      encoding: 'base64_json_query',
      prefix: 'deepchat://provider/install',
      parameters: [{ name: 'v', value: '1' }],
      payload_parameter: 'data',
      payload: { name: '{name}', type, baseUrl: clientBaseUrl(way), apiKey: '{key}' },
    }),
  }
}

const aqBot: ImportDescription = {
  id: 'aqbot',
  name: 'AQBot',
  showAs: 'link',
  warnings: [],
  options: [
    aqBotOption('openai', 'openai-chat'),
    aqBotOption('openai_responses', 'openai-responses'),
    aqBotOption('anthropic', 'anthropic-messages'),
    aqBotOption('gemini', 'gemini'),
  ],
}

function aqBotOption(type: string, protocol: ImportOptionDescription['protocol']): ImportOptionDescription {
  return {
    ...vendorOption(type, protocol),
    // It appends /v1 itself.
    link: ({ origin }) => query('aqbot://providers', { name: '{name}', baseurl: origin, apikey: '{key}', type }),
  }
}

const nextChat: ImportDescription = {
  id: 'nextchat',
  name: 'NextChat',
  showAs: 'link',
  // In the fragment: the web server that serves NextChat does not see it, the page does.
  warnings: ['key_in_web_address'],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ origin }) => ({
        encoding: 'json_query',
        prefix: 'https://app.nextchat.dev/#/',
        parameters: [],
        payload_parameter: 'settings',
        payload: { key: '{key}', url: origin },
      }),
    },
  ],
}

const openCat: ImportDescription = {
  id: 'opencat',
  name: 'OpenCat',
  showAs: 'link',
  warnings: [],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ origin }) => query('opencat://team/join', { domain: origin, token: '{key}' }),
    },
  ],
}

const ama: ImportDescription = {
  id: 'ama',
  name: 'AMA',
  showAs: 'link',
  warnings: [],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ origin }) => query('ama://set-api-key', { server: origin, key: '{key}' }),
    },
  ],
}

const kelivo: ImportDescription = {
  id: 'kelivo',
  name: 'Kelivo',
  showAs: 'qr',
  warnings: ['scan_with_phone'],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ openaiBaseUrl }) => ({
        encoding: 'base64_json_plain',
        prefix: 'ai-provider:v1:',
        payload: { type: 'openai', name: '{name}', apiKey: '{key}', baseUrl: openaiBaseUrl },
      }),
    },
  ],
}

const lobeChat: ImportDescription = {
  id: 'lobechat',
  name: 'LobeChat',
  showAs: 'link',
  warnings: ['key_reaches_web_server'],
  options: [
    {
      ...vendorOption('openai', 'openai-chat'),
      link: ({ openaiBaseUrl }) => ({
        encoding: 'json_query',
        // As its guide to settings in addresses has it; the host of previews has data of its own.
        prefix: 'https://lobehub.com/',
        parameters: [],
        payload_parameter: 'settings',
        payload: { keyVaults: { openai: { apiKey: '{key}', baseURL: openaiBaseUrl } } },
      }),
    },
  ],
}

/** In the order in which they are shown; the one with a warning last. */
export const CHAT_IMPORTS: readonly ImportDescription[] = [
  cherryStudio,
  chatbox,
  aionUi,
  deepChat,
  aqBot,
  nextChat,
  openCat,
  ama,
  kelivo,
  lobeChat,
]

function vendorOption(id: string, protocol: ImportOptionDescription['protocol']) {
  return { id, name: NAMES[protocol], protocol }
}

function query(prefix: string, parameters: Record<string, string>): ImportLink {
  return { encoding: 'query', prefix, parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })) }
}
