import { type Answered, factsOfAnswerer } from './answerers.ts'
import type { Explanation } from './explanation.ts'

/** What it means that something other than this gateway answered, and what to do. `status`: of its answer, where it is known. */
export function explainAnswered(answered: Answered, status: number | null, language: 'en' | 'zh'): Explanation {
  const { kind, [language]: name } = factsOfAnswerer(answered.by)
  const words = TEXTS[language]
  if (!answered.isSure) return words.passedOn(name)
  return kind === 'proxy' ? words.proxy(name, status) : words[kind](name)
}

/** What an admin of a proxy has to look at, by what it answers. */
type ProxyTrouble = 'sign_in' | 'blocks' | 'no_site' | 'too_large' | 'too_many' | 'no_answer' | 'too_slow' | 'unknown'

function troubleOf(status: number | null): ProxyTrouble {
  if (status === null) return 'unknown'
  const known = Object.hasOwn(TROUBLES, status) ? TROUBLES[status] : undefined
  return known ?? (status >= 500 ? 'no_answer' : 'unknown')
}

const TROUBLES: Readonly<Record<number, ProxyTrouble>> = {
  401: 'sign_in',
  403: 'blocks',
  404: 'no_site',
  405: 'blocks',
  408: 'too_slow',
  413: 'too_large',
  414: 'too_large',
  429: 'too_many',
  451: 'blocks',
  499: 'too_slow',
  504: 'too_slow',
  522: 'too_slow',
  524: 'too_slow',
}

const IN_FRONT_EN: Readonly<Record<ProxyTrouble, string>> = {
  sign_in: 'It asks for a sign-in of its own: let the paths of the API through without one.',
  blocks: 'It blocks the request: allow the paths and methods of the API, and clients other than browsers.',
  no_site: 'It knows no site or path at this address: check where it passes requests on to.',
  too_large: 'Raise its limit for the size of requests (nginx: client_max_body_size).',
  too_many: 'It limits requests by itself: raise that limit for the API.',
  no_answer:
    'It gets no response from what stands behind it: check that the gateway runs, and where requests are passed on to.',
  too_slow: 'It stopped waiting. Raise its timeout for responses (nginx: proxy_read_timeout), or stream the response.',
  unknown: 'Paste the status and the headers of the response as well: they say why.',
}

const IN_FRONT_ZH: Readonly<Record<ProxyTrouble, string>> = {
  sign_in: '它要求自己的登录：请让 API 路径无需登录即可通过。',
  blocks: '它拦截了该请求：请放行 API 的路径和方法，以及非浏览器客户端。',
  no_site: '它在该地址上没有对应的站点或路径：请检查它把请求转发到哪里。',
  too_large: '请调大它的请求大小限制（nginx：client_max_body_size）。',
  too_many: '它自身限制了请求频率：请为 API 调高该限制。',
  no_answer: '它没有收到后端的响应：请确认网关正在运行，并检查请求转发的目标地址。',
  too_slow: '它已停止等待。请调大它的响应超时（nginx：proxy_read_timeout），或使用流式响应。',
  unknown: '请同时粘贴响应的状态码和响应头，其中会写明原因。',
}

/** Sets a space between Chinese and Latin letters. */
function spaced(name: string): string {
  return /^\w/.test(name) ? ` ${name}` : name
}

const TEXTS = {
  en: {
    provider: (name: string): Explanation => ({
      cause: `${name} answered, not this gateway.`,
      remedy: `The base URL of the client leads to ${name}, or is not used at all. Enter the base URL of this gateway and one of its API keys, and restart the client.`,
    }),
    gateway: (name: string): Explanation => ({
      cause: `Another gateway answered: ${name}.`,
      remedy: 'The base URL of the client leads there. Enter the base URL of this gateway and one of its API keys.',
    }),
    program: (name: string): Explanation => ({
      cause: `Something else answered, not this gateway: ${name}.`,
      remedy: 'Check host, port and path of the base URL, and enter the one of this gateway.',
    }),
    proxy: (name: string, status: number | null): Explanation => ({
      cause: `The response comes from ${name} in front of the gateway${status === null ? '' : `, with status ${status}`}.`,
      remedy: `${IN_FRONT_EN[troubleOf(status)]} If nothing of the kind stands in front of this gateway, the base URL leads elsewhere.`,
    }),
    passedOn: (name: string): Explanation => ({
      cause: `These are words of ${name}.`,
      remedy:
        'If the request went through this gateway, paste its request ID: its record shows what was asked and what came back. If not, the base URL of the client leads elsewhere: enter the one of this gateway.',
    }),
  },
  zh: {
    provider: (name: string): Explanation => ({
      cause: `作出响应的是${spaced(name)}，而不是本网关。`,
      remedy: `客户端的 Base URL 指向${spaced(name)}，或者没有生效。请填写本网关的 Base URL 和本网关的 API 密钥，然后重启客户端。`,
    }),
    gateway: (name: string): Explanation => ({
      cause: `作出响应的是另一个网关：${name}。`,
      remedy: '客户端的 Base URL 指向了那里。请填写本网关的 Base URL 和本网关的 API 密钥。',
    }),
    program: (name: string): Explanation => ({
      cause: `作出响应的不是本网关，而是${spaced(name)}。`,
      remedy: '请检查 Base URL 的主机、端口和路径，并填写本网关的 Base URL。',
    }),
    proxy: (name: string, status: number | null): Explanation => ({
      cause: `响应来自网关前面的${spaced(name)}${status === null ? '' : `，状态码为 ${status}`}。`,
      remedy: `${IN_FRONT_ZH[troubleOf(status)]}如果本网关前面没有这样的服务，则 Base URL 指向了别处。`,
    }),
    passedOn: (name: string): Explanation => ({
      cause: `这是${spaced(name)}${/[\w)]$/.test(name) ? ' ' : ''}的错误信息。`,
      remedy:
        '如果请求经过了本网关，请粘贴请求 ID：其记录会显示请求内容和返回结果。如果没有经过，则客户端的 Base URL 指向了别处，请填写本网关的 Base URL。',
    }),
  },
} as const
