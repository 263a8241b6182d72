/** The links of chat programs, each read by the format that its makers document. */

export interface ImportedProvider {
  readonly apiKey: string
  readonly baseUrl: string
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly models?: readonly string[]
  /** Whether the key of a web address is in the part that a browser sends. */
  readonly isSentToServer?: boolean
}

/** Throws for a link that the program would refuse. */
export function readImportLink(link: string): ImportedProvider {
  if (link.startsWith('ai-provider:v1:')) return readKelivo(link.slice('ai-provider:v1:'.length))
  const url = new URL(link)
  const reader = READERS[`${url.protocol}//${url.host}${url.pathname}`]
  if (reader === undefined) throw new Error(`no program opens ${link}`)
  return reader(url)
}

const READERS: Readonly<Record<string, (url: URL) => ImportedProvider>> = {
  'cherrystudio://providers/api-keys': readCherryStudio,
  'chatbox://provider/import': readChatbox,
  'aionui://provider/add': (url) => {
    const data = versioned(url)
    if (data['platform'] !== 'custom') throw new Error('AionUI knows no such kind of provider')
    return { apiKey: text(data, 'apiKey'), baseUrl: text(data, 'baseUrl'), name: text(data, 'name') }
  },
  'deepchat://provider/install': (url) => plain(versioned(url)),
  'aqbot://providers': readAqBot,
  'https://app.nextchat.dev/': readNextChat,
  'opencat://team/join': (url) => ({ apiKey: value(url, 'token'), baseUrl: value(url, 'domain') }),
  'ama://set-api-key': (url) => ({ apiKey: value(url, 'key'), baseUrl: value(url, 'server') }),
  'https://lobehub.com/': readLobeChat,
}

/** Cherry Studio cuts names at parentheses and apostrophes. */
function readCherryStudio(url: URL): ImportedProvider {
  const data = versioned(url)
  const read = plain(data)
  if (/[()']/.test(read.name ?? '')) throw new Error('Cherry Studio cuts such a name')
  if (text(data, 'id') === '') throw new Error('an id is needed')
  if (new URL(read.baseUrl).pathname !== '/') throw new Error('Cherry Studio adds the path itself')
  return read
}

function readChatbox(url: URL): ImportedProvider {
  const data = decoded(value(url, 'config'))
  const settings = object(data['settings'])
  if (!/^tollgate-\w{6}$/.test(text(data, 'id'))) throw new Error('a second key would take the place of the first')
  if (text(object(data['urls']), 'website') === '') throw new Error('the website is missing')
  const models = settings['models']
  if (!Array.isArray(models)) throw new Error('the models are missing')
  return {
    apiKey: text(settings, 'apiKey'),
    baseUrl: text(settings, 'apiHost') + text(settings, 'apiPath'),
    name: text(data, 'name'),
    type: text(data, 'type'),
    models: models.map((model: unknown) => {
      const { contextWindow, maxOutput, capabilities } = object(model)
      for (const count of [contextWindow, maxOutput]) {
        if (count !== undefined && !Number.isInteger(count)) throw new Error('counts are whole numbers')
      }
      // Without them Chatbox sends neither tools nor pictures (its guide to links of providers, read in November 2026).
      const known: unknown[] = ['vision', 'tool_use', 'reasoning']
      if (!Array.isArray(capabilities) || !capabilities.every((each) => known.includes(each)))
        throw new Error('what the model can do is missing')
      return text(object(model), 'modelId')
    }),
  }
}

function readAqBot(url: URL): ImportedProvider {
  const type = value(url, 'type')
  if (!['openai', 'openai_responses', 'anthropic', 'gemini'].includes(type)) throw new Error(`no such type: ${type}`)
  const baseUrl = value(url, 'baseurl')
  const { protocol, search, hash } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || search + hash !== '') throw new Error('no such base address')
  return { apiKey: value(url, 'apikey'), baseUrl, name: value(url, 'name'), type }
}

/** A page with its own routes behind the `#`: `#/?settings={…}`. */
function readNextChat(url: URL): ImportedProvider {
  if (!url.hash.startsWith('#/?')) throw new Error('NextChat reads its settings behind #/')
  const settings = object(JSON.parse(new URLSearchParams(url.hash.slice('#/?'.length)).get('settings') ?? ''))
  const apiKey = text(settings, 'key')
  return { apiKey, baseUrl: text(settings, 'url'), isSentToServer: (url.pathname + url.search).includes(apiKey) }
}

function readLobeChat(url: URL): ImportedProvider {
  const settings = object(JSON.parse(value(url, 'settings')))
  const vault = object(object(settings['keyVaults'])['openai'])
  const apiKey = text(vault, 'apiKey')
  return { apiKey, baseUrl: text(vault, 'baseURL'), isSentToServer: decodeURIComponent(url.search).includes(apiKey) }
}

function readKelivo(payload: string): ImportedProvider {
  return plain(decoded(payload))
}

type JsonObject = Readonly<Record<string, unknown>>

function versioned(url: URL): JsonObject {
  if (value(url, 'v') !== '1') throw new Error('the version is missing')
  return decoded(value(url, 'data'))
}

function plain(data: JsonObject): ImportedProvider {
  return {
    apiKey: text(data, 'apiKey'),
    baseUrl: text(data, 'baseUrl'),
    name: text(data, 'name'),
    type: text(data, 'type'),
  }
}

/** Standard Base64 with its padding, of UTF-8, of JSON. */
function decoded(base64: string): JsonObject {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) throw new Error('this is not standard Base64')
  const utf8 = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  return object(JSON.parse(utf8))
}

function object(found: unknown): JsonObject {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Error('this is not an object')
  return found as JsonObject
}

function text(data: JsonObject, name: string): string {
  const found = data[name]
  if (typeof found !== 'string') throw new Error(`${name} is missing`)
  return found
}

function value(url: URL, name: string): string {
  const found = url.searchParams.getAll(name)
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${name} must stand there once`)
  return found[0]
}
