/** The mistakes that people make when they set a client up, each as a request that makes it, and what has to be said of it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Language } from './languages.ts'
import type { Person, Place } from './place.ts'

type Said = string | RegExp

export interface WrongTurn {
  readonly name: string
  /** What makes the mistake possible, where a setting does. */
  readonly before?: () => Promise<unknown>
  readonly request: Request
  /** The facts that a reader has to get to see. */
  readonly says: Readonly<Record<Language, readonly Said[]>>
  /** Set for a call without a known key, of which there is no record. */
  readonly isUnknown?: true
}

interface Request {
  readonly key?: string
  readonly header?: 'x-api-key'
  readonly path?: string
  readonly method?: 'GET'
  readonly model?: string
  readonly isStream?: true
}

/** What a client's terminal shows of a request. */
export interface Printed {
  readonly id: string
  readonly status: number
  readonly text: string
}

/** Where the mistakes are made: a place with a small group and with models that do not work. */
export interface WrongPlace {
  readonly group: string
  stop(): void
}

/** Puts up the models and the group, once in a place. */
export async function furnishWrongly({ admin }: Place): Promise<WrongPlace> {
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/overloaded/') === true) {
      response.writeHead(503, { 'content-type': 'application/json' })
      return response.end('{"error":{"message":"busy"}}')
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[')
    response.write('{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}\n\n')
    setTimeout(() => response.destroy(), 50)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const addresses = { overloaded: `${near}/overloaded/v1`, cut: `${near}/cut/v1`, dead: 'http://127.0.0.1:1/v1' }
  for (const [name, baseUrl] of Object.entries(addresses)) {
    await admin('POST', '/api/upstreams', { name, protocol: 'openai', base_url: baseUrl, credential: 'none' })
    const targets = [{ upstream: name, model: 'm' }]
    await admin('POST', '/api/models', { name: `wrong/${name}`, price: { input: '1', output: '1' }, targets })
  }
  const targets = [{ upstream: 'dead', model: 'm' }]
  await admin('POST', '/api/models', { name: 'wrong/unpriced', targets })
  const group = 'small'
  await admin('POST', '/api/groups', { name: group, models: ['demo/echo'] })
  return {
    group,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Sends it, as the client would that was set up so. */
export async function make(place: Place, { request }: WrongTurn): Promise<Printed> {
  const { key, header, path = '/v1/chat/completions', method = 'POST', model = 'demo/echo', isStream } = request
  const body = { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100, stream: isStream === true }
  const credential =
    key === undefined ? {} : header === undefined ? { authorization: `Bearer ${key}` } : { [header]: key }
  const response = await fetch(`http://127.0.0.1:${new URL(place.origin).port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...credential },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
  } catch {
    // What came before the break is what a terminal shows.
  }
  const text = Buffer.concat(chunks).toString()
  return { id: response.headers.get('x-request-id') ?? '', status: response.status, text }
}

/** All of them, in the order in which they can be made: the account has no balance at first. */
export function wrongTurns(of: {
  readonly place: Place
  readonly wrong: WrongPlace
  readonly person: Person
  readonly key: { readonly id: string; readonly secret: string }
}): readonly WrongTurn[] {
  const { place, wrong, person } = of
  const { secret, id } = of.key
  const end = secret.slice(-4)
  const origin = `http://127.0.0.1:${new URL(place.origin).port}`
  const change = (settings: object) => () => person.ask('PATCH', `/api/keys/${id}`, settings)
  return [
    {
      name: 'the last four characters of the key are missing',
      request: { key: secret.slice(0, -4) },
      says: {
        en: [`The API key ending in ${secret.slice(-8, -4)} is incomplete: 4 characters missing.`],
        'zh-CN': [`以 ${secret.slice(-8, -4)} 结尾的 API 密钥不完整，末尾缺少 4 个字符。`],
      },
    },
    {
      name: 'the first four characters of the key are missing',
      isUnknown: true,
      request: { key: secret.slice(4) },
      says: {
        en: ['lacks its first 4 characters: it begins with "sk-tg-"'],
        'zh-CN': ['缺少开头的 4 个字符：密钥以 “sk-tg-” 开头'],
      },
    },
    {
      name: 'the key is in quotation marks',
      request: { key: `"${secret}"` },
      says: {
        en: [`The API key ending in ${end} has quotation marks around it.`, 'Remove them.'],
        'zh-CN': [`以 ${end} 结尾的 API 密钥两端带有引号。`, '请去掉引号。'],
      },
    },
    {
      name: 'a key of the right length has a wrong checksum',
      isUnknown: true,
      request: { key: `sk-tg-${'x9Y'.repeat(15)}Z` },
      says: {
        en: ['it has the right length, but its checksum does not match'],
        'zh-CN': ['已损坏：长度正确，但校验码不符'],
      },
    },
    {
      name: 'the key is one of OpenAI',
      isUnknown: true,
      request: { key: `sk-proj-${'aB3'.repeat(16)}` },
      says: {
        en: ['This is a key of OpenAI, not one of this gateway.'],
        'zh-CN': ['这是 OpenAI 的密钥，不是本网关的密钥。'],
      },
    },
    {
      name: 'there is no key',
      isUnknown: true,
      request: {},
      says: {
        en: ['No API key was sent.', 'x-api-key: <key>'],
        'zh-CN': ['请求没有携带 API 密钥。', 'x-api-key: <密钥>'],
      },
    },
    {
      name: 'the base URL ends in /chat/completions',
      request: { key: secret, path: '/v1/chat/completions/chat/completions' },
      says: { en: [`Enter ${origin}/v1 as the base URL`], 'zh-CN': [`请将 Base URL 填写为 ${origin}/v1，`] },
    },
    {
      name: 'the base URL ends in /v1/messages',
      request: { key: secret, header: 'x-api-key', path: '/v1/messages/v1/messages' },
      says: { en: [`Enter ${origin} as the base URL`], 'zh-CN': [`请将 Base URL 填写为 ${origin}，`] },
    },
    {
      name: 'nothing is at the path',
      request: { key: secret, path: '/v2/foo' },
      says: {
        en: ['There is nothing at /v2/foo.', `for OpenAI clients: ${origin}/v1`],
        'zh-CN': ['/v2/foo 没有对应的接口。', `OpenAI 客户端的 Base URL 是 ${origin}/v1`],
      },
    },
    {
      name: 'the path takes another method',
      request: { key: secret, method: 'GET' },
      says: {
        en: ['/v1/chat/completions takes POST, not GET.'],
        'zh-CN': ['/v1/chat/completions 只接受 POST 请求，不接受 GET。'],
      },
    },
    {
      name: 'the model is misspelt',
      request: { key: secret, model: 'demo/ecko' },
      says: {
        en: ['There is no model "demo/ecko" on this gateway.', 'Did you mean "demo/echo"'],
        'zh-CN': ['本网关没有模型“demo/ecko”。', 'demo/echo'],
      },
    },
    {
      name: 'the model is not in the group of the key',
      before: change({ group: wrong.group }),
      request: { key: secret, model: 'demo/tools' },
      says: {
        en: [`The model "demo/tools" is not in this API key's group "small".`, 'This key can call "demo/echo"'],
        'zh-CN': ['分组“small”', 'demo/tools', 'demo/echo'],
      },
    },
    {
      name: 'there is no model of that name, nor one like it',
      request: { key: secret, model: 'gpt-99' },
      says: {
        en: ['There is no model "gpt-99" on this gateway.', 'This key can call "demo/echo"'],
        'zh-CN': ['本网关没有模型“gpt-99”。', 'demo/echo'],
      },
    },
    {
      name: 'the model has no price',
      before: change({ group: 'default' }),
      request: { key: secret, model: 'wrong/unpriced' },
      says: {
        en: ['The model "wrong/unpriced" has no price yet, so it is not served.'],
        'zh-CN': ['模型“wrong/unpriced”尚未设置价格，因此不提供服务。'],
      },
    },
    {
      name: 'the balance is 0',
      request: { key: secret },
      says: {
        en: [/This request may cost up to \$0\.\d+ and \$0 is left of the account's balance\./],
        'zh-CN': [/本次请求最多可能花费 \$0\.\d+，而账户余额剩余 \$0。/],
      },
    },
    {
      name: 'the quota is 0',
      before: async () => {
        const credit = { amount: '1', reason: 'a gift', kind: 'credit' }
        await place.admin('POST', `/api/accounts/${person.id}/ledger`, credit)
        await change({ quota_limit: '0' })()
      },
      request: { key: secret },
      says: {
        en: [/may cost up to \$0\.\d+ and \$0 is left of this API key's quota\./, 'so waiting gives no more'],
        'zh-CN': [/最多可能花费 \$0\.\d+，而此密钥的额度剩余 \$0。/, '等待也不会增加'],
      },
    },
    {
      name: 'the quota is too small and never resets',
      before: change({ quota_limit: '0.00000001' }),
      request: { key: secret },
      says: {
        en: ['It does not reset by itself.', `Raise the key's quota limit`],
        'zh-CN': ['不会自动重置', '请提高密钥额度'],
      },
    },
    {
      name: 'the limit is 0 requests a minute',
      before: change({ quota_limit: null, rate_limit: { requests_per_minute: 0 } }),
      request: { key: secret },
      says: {
        en: [`This API key's limit is 0 requests a minute, so it cannot be used.`, `Raise the key's limit.`],
        'zh-CN': ['此密钥的每分钟请求数限制为 0，因此无法使用。', '请提高密钥的限制。'],
      },
    },
    {
      name: 'the address is not allowed',
      before: change({ rate_limit: null, allowed_ips: ['10.0.0.0/8'] }),
      request: { key: secret },
      says: {
        en: ['This API key cannot be used from 127.0.0.1.'],
        'zh-CN': ['此密钥不能从 127.0.0.1 使用。'],
      },
    },
    {
      name: 'the key is disabled',
      before: change({ allowed_ips: [], status: 'disabled' }),
      request: { key: secret },
      says: {
        en: [new RegExp(`The API key ending in ${end} was disabled at .*\\d{4}.*\\d\\d:\\d\\d`)],
        'zh-CN': [new RegExp(`以 ${end} 结尾的 API 密钥已于 \\d{4}.*\\d\\d:\\d\\d.* 停用。`)],
      },
    },
    {
      name: 'the key has expired',
      before: async () => {
        await change({ status: 'active', expires_at: new Date(Date.now() + 1_000).toISOString() })()
        await new Promise((resolve) => setTimeout(resolve, 1_100))
      },
      request: { key: secret },
      says: {
        en: [new RegExp(`The API key ending in ${end} expired at .*\\d{4}.*\\d\\d:\\d\\d`)],
        'zh-CN': [new RegExp(`以 ${end} 结尾的 API 密钥已于 \\d{4}.*\\d\\d:\\d\\d.* 过期。`)],
      },
    },
    {
      name: 'the provider is overloaded',
      before: change({ expires_at: null }),
      request: { key: secret, model: 'wrong/overloaded' },
      says: { en: ['Provider overloaded'], 'zh-CN': ['上游过载'] },
    },
    {
      name: 'the provider is dead',
      request: { key: secret, model: 'wrong/dead' },
      says: { en: ['The model cannot be reached right now.'], 'zh-CN': ['目前无法连接到该模型的服务商。'] },
    },
    {
      name: 'the provider breaks off',
      request: { key: secret, model: 'wrong/cut', isStream: true },
      says: {
        en: ['The model’s answer broke off before its end.'],
        'zh-CN': ['该模型的回答在结束之前中断了。'],
      },
    },
  ]
}
